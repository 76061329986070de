# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.story.criterion import Criterion as Criterion
from bayesloom.story.direction import Direction as Direction
from bayesloom.story.edge_measures import measure_edges as measure_edges
from bayesloom.story.edge_table import EdgeTable as EdgeTable
from bayesloom.story.edge_table import TableEdge as TableEdge
from bayesloom.story.evidence import EdgeChange as EdgeChange
from bayesloom.story.evidence import Evidence as Evidence
from bayesloom.story.evidence import PairTest as PairTest
from bayesloom.story.evidence import gather_evidence as gather_evidence
from bayesloom.story.evidence import gather_link_evidence as gather_link_evidence
from bayesloom.story.story import Story as Story
from bayesloom.story.story import StoryStep as StoryStep
from bayesloom.story.story import tell_story as tell_story
