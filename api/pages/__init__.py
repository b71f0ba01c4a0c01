"""The pages a reader sees, as functions from records to HTML."""

from api.pages.addresses import topic_path as topic_path
from api.pages.answer import answer as answer
from api.pages.error import error as error
from api.pages.explainer import explainer as explainer
from api.pages.source import source as source
from api.pages.topic import statistics_sentence as statistics_sentence
from api.pages.topic import topic as topic
from api.pages.topics import topic_list as topic_list
