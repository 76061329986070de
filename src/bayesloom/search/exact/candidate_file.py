def check_candidates(c, score, engine, limits): return c
