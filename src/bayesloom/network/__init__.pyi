# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.network.certificate import Certificate as Certificate
from bayesloom.network.certificate import certify as certify
from bayesloom.network.drawing import plot as plot
from bayesloom.network.drawing import recorded_picture as recorded_picture
from bayesloom.network.entry import learn as learn
from bayesloom.network.learned import Learned as Learned
from bayesloom.network.saving import check_network_path as check_network_path
from bayesloom.network.saving import load_record as load_record
from bayesloom.network.saving import save_network as save_network
