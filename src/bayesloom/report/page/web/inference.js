// Exact posteriors on a junction forest: messages up to the roots and down again.

const NONE = new Int32Array(0);

export class Inference {
  // sizes: states per variable; parents: of each variable, in ascending order; tables: flat, one axis
  // per parent and then the variable; cliques: ascending variables; above: the clique each hangs below.
  constructor(sizes, parents, tables, cliques, above) {
    this.sizes = sizes;
    this.cliques = cliques;
    this.above = above;
    this.strides = cliques.map((clique) => stridesOf(clique, sizes));
    this.start = cliques.map((clique) => new Float64Array(cellsOf(clique, sizes)).fill(1));
    this.home = sizes.map((_, v) => smallest(cliques, this.start, [v]));
    tables.forEach((table, v) => {
      const family = [...parents[v], v];
      const home = smallest(cliques, this.start, family);
      const map = this.project(home, family);
      const potential = this.start[home];
      for (let cell = 0; cell < potential.length; cell++) potential[cell] *= table[map[cell]];
    });
    this.shared = cliques.map((clique, i) => (above[i] < 0 ? [] : clique.filter((v) => cliques[above[i]].includes(v))));
    this.up = cliques.map((_, i) => (above[i] < 0 ? NONE : this.project(i, this.shared[i])));
    this.down = cliques.map((_, i) => (above[i] < 0 ? NONE : this.project(above[i], this.shared[i])));
  }

  // For each cell of a clique, the cell of a smaller table over some of its variables, in their order.
  project(home, variables) {
    const clique = this.cliques[home];
    const own = stridesOf(variables, this.sizes);
    const map = new Int32Array(this.start[home].length);
    variables.forEach((v, k) => {
      const stride = this.strides[home][clique.indexOf(v)];
      const size = this.sizes[v];
      for (let cell = 0; cell < map.length; cell++) map[cell] += (Math.floor(cell / stride) % size) * own[k];
    });
    return map;
  }

  // evidence: Map from variable to state. Returns {possible, logEvidence, marginals}.
  posteriors(evidence) {
    const tables = this.start.map((table) => table.slice());
    for (const [v, state] of evidence) this.observe(tables[this.home[v]], v, state);
    let logEvidence = 0;
    const messages = [];
    for (let i = tables.length - 1; i >= 0; i--) {
      const total = sum(tables[i]);
      if (!(total > 0)) return { possible: false, logEvidence: -Infinity, marginals: null };
      logEvidence += Math.log(total);
      scale(tables[i], 1 / total);
      if (this.above[i] < 0) continue;
      messages[i] = gather(tables[i], this.up[i], cellsOf(this.shared[i], this.sizes));
      const over = tables[this.above[i]];
      const map = this.down[i];
      for (let cell = 0; cell < over.length; cell++) over[cell] *= messages[i][map[cell]];
    }
    for (let i = 0; i < tables.length; i++) {
      if (this.above[i] < 0) continue;
      const news = gather(tables[this.above[i]], this.down[i], messages[i].length);
      for (let k = 0; k < news.length; k++) news[k] = messages[i][k] > 0 ? news[k] / messages[i][k] : 0;
      const map = this.up[i];
      for (let cell = 0; cell < tables[i].length; cell++) tables[i][cell] *= news[map[cell]];
    }
    return { possible: true, logEvidence, marginals: this.sizes.map((_, v) => this.marginal(tables[this.home[v]], v)) };
  }

  observe(table, v, state) {
    const stride = this.strides[this.home[v]][this.cliques[this.home[v]].indexOf(v)];
    for (let cell = 0; cell < table.length; cell++) {
      if (Math.floor(cell / stride) % this.sizes[v] !== state) table[cell] = 0;
    }
  }

  marginal(table, v) {
    const stride = this.strides[this.home[v]][this.cliques[this.home[v]].indexOf(v)];
    const found = new Float64Array(this.sizes[v]);
    for (let cell = 0; cell < table.length; cell++) found[Math.floor(cell / stride) % this.sizes[v]] += table[cell];
    scale(found, 1 / sum(found));
    return Array.from(found);
  }
}

function cellsOf(variables, sizes) {
  return variables.reduce((product, v) => product * sizes[v], 1);
}

function stridesOf(variables, sizes) {
  const strides = new Array(variables.length);
  let step = 1;
  for (let k = variables.length - 1; k >= 0; k--) {
    strides[k] = step;
    step *= sizes[variables[k]];
  }
  return strides;
}

function smallest(cliques, tables, variables) {
  let best = -1;
  cliques.forEach((clique, i) => {
    const fits = variables.every((v) => clique.includes(v));
    if (fits && (best < 0 || tables[i].length < tables[best].length)) best = i;
  });
  return best;
}

function gather(table, map, cells) {
  const found = new Float64Array(cells);
  for (let cell = 0; cell < table.length; cell++) found[map[cell]] += table[cell];
  return found;
}

function sum(table) {
  let total = 0;
  for (let k = 0; k < table.length; k++) total += table[k];
  return total;
}

function scale(table, factor) {
  for (let k = 0; k < table.length; k++) table[k] *= factor;
}
