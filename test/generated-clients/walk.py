import os

from client import AuthenticatedClient
from client.api.default import list_api_keys
from client.models import ApiKeyList, ErrorAnswer, ListApiKeysAnthropicVersion
from client.types import UNSET, Unset

VERSION = ListApiKeysAnthropicVersion("2023-06-01")
api = AuthenticatedClient(
    os.environ["BASE_URL"], token=os.environ["ADMIN_KEY"], prefix="", auth_header_name="x-api-key"
)

after: str | Unset = UNSET
more = True
while more:
    page = list_api_keys.sync(client=api, anthropic_version=VERSION, limit=50, after_id=after)
    assert isinstance(page, ApiKeyList)
    for key in page.data:
        print(key.id)
    after, more = page.last_id or UNSET, page.has_more

refusal = list_api_keys.sync(client=api, anthropic_version=VERSION, workspace_id="no workspace")
assert isinstance(refusal, ErrorAnswer)
print(refusal.error.type_, refusal.error.message)
