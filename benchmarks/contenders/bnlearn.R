# bnlearn: Rscript bnlearn.R CALL WARM LIMIT ENOUGH csv=FILE [score=bic|bdeu] [bif=FILE]
# Answers one JSON line per call, as worker.py does.
arguments <- commandArgs(trailingOnly = TRUE)
limits <- as.numeric(arguments[2:4])
names(limits) <- c("warm", "limit", "enough")
options <- sub("^[^=]*=", "", arguments[-(1:4)])
names(options) <- sub("=.*", "", arguments[-(1:4)])

score <- list(bic = list(score = "bic"), bdeu = list(score = "bde", iss = 10))
climb <- function(search) function(rows) do.call(search, c(list(rows), score[[options[["score"]]]]))
calls <- list(
  hill_climbing = climb("hc"),
  tabu = climb("tabu"),
  chow_liu = function(rows) chow.liu(rows),
  pc = function(rows) pc.stable(rows, test = "x2", alpha = 0.01),
  iamb = function(rows) iamb(rows, test = "x2", alpha = 0.01),
  mmhc = function(rows) mmhc(rows, restrict.args = list(test = "mi", alpha = 0.01))
)

read_rows <- function(csv) {
  rows <- read.csv(csv, colClasses = "character", na.strings = character(0), check.names = FALSE)
  as.data.frame(lapply(rows, factor), check.names = FALSE)
}

edges <- function(net) {
  undirected <- undirected.arcs(net)
  quoted <- function(arcs) {
    if (nrow(arcs) == 0) return("")
    paste(sprintf('["%s", "%s"]', arcs[, 1], arcs[, 2]), collapse = ", ")
  }
  once <- undirected[undirected[, 1] < undirected[, 2], , drop = FALSE]
  sprintf('{"directed": [%s], "undirected": [%s]}', quoted(directed.arcs(net)), quoted(once))
}

peak_memory <- function() {
  status <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", status)) / 1024
}

cpu <- function() sum(proc.time()[c("user.self", "sys.self")])

# R's clock moves in milliseconds: short work is repeated until 0.1 s are full, for the time of one.
timed <- function(work) {
  start <- proc.time()
  count <- 0
  repeat {
    found <- work()
    count <- count + 1
    used <- proc.time() - start
    if (sum(used[1:2]) >= 0.1) break
  }
  list(found = found, cpu = sum(used[1:2]) / count, wall = used[["elapsed"]] / count)
}

for (turn in 0:limits[["warm"]]) {
  start <- cpu()
  suppressMessages(library(bnlearn))
  rows <- read_rows(options[["csv"]])
  ready <- cpu()
  if (turn == 0) {
    before <- proc.time()
    found <- calls[[arguments[[1]]]](rows)
    used <- proc.time() - before
    done <- list(found = found, cpu = sum(used[1:2]), wall = used[["elapsed"]])
  } else {
    done <- timed(function() calls[[arguments[[1]]]](rows))
  }
  result <- if (turn == 0) sprintf(', "result": %s', edges(done$found)) else ""
  line <- '{"setup": %.6f, "cpu": %.6f, "wall": %.6f, "rss": %.0f%s}\n'
  cat(sprintf(line, ready - start, done$cpu, done$wall, peak_memory(), result))
  used <- cpu()
  if (used + used - start > limits[["limit"]] || (turn > 0 && used > limits[["enough"]])) break
}
