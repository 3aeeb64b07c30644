import os

import anthropic

api = anthropic.Anthropic(api_key=os.environ["ADMIN_KEY"], base_url=os.environ["BASE_URL"], max_retries=0)

for key in api.organization.api_keys.list(limit=50):
    print(key.id)

try:
    api.organization.api_keys.list(workspace_id="no workspace")
except anthropic.BadRequestError as refused:
    print(refused.body["error"]["type"], refused.body["error"]["message"])
