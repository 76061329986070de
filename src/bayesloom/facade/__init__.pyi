# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.facade.blanket import MarkovBlanket as MarkovBlanket
from bayesloom.facade.blanket import markov_blanket as markov_blanket
from bayesloom.facade.certificate import Certificate as Certificate
from bayesloom.facade.certificate import certify as certify
from bayesloom.facade.construction import causal_effect as causal_effect
from bayesloom.facade.construction import do as do
from bayesloom.facade.construction import example as example
from bayesloom.facade.construction import fit as fit
from bayesloom.facade.construction import load as load
from bayesloom.facade.construction import network as network
from bayesloom.facade.construction import save as save
from bayesloom.facade.drawing import plot as plot
from bayesloom.facade.entry import learn as learn
from bayesloom.facade.resampling import Bootstrap as Bootstrap
from bayesloom.facade.resampling import bootstrap as bootstrap
from bayesloom.facade.saving import check_network_path as check_network_path
from bayesloom.facade.whole import Network as Network
