# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.averaging.averaged_graph import Averaged as Averaged
from bayesloom.averaging.averaged_graph import average_arrows as average_arrows
from bayesloom.averaging.averaged_graph import average_links as average_links
from bayesloom.averaging.checkpoint import Checkpoint as Checkpoint
from bayesloom.averaging.pair_tally import Joined as Joined
from bayesloom.averaging.pair_tally import PairTally as PairTally
from bayesloom.averaging.replicate import Replicates as Replicates
from bayesloom.averaging.replicate import run_replicates as run_replicates
from bayesloom.averaging.strength_table import StrengthTable as StrengthTable
from bayesloom.averaging.threshold import significance_threshold as significance_threshold
