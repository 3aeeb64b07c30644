import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.ApiKeyList;
import org.openapitools.client.model.ErrorAnswer;

class Walk {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("x-api-key", System.getenv("ADMIN_KEY")));
    var api = new DefaultApi(client);

    ApiKeyList page = null;
    do {
      var after = page == null ? null : page.getLastId();
      page = api.listApiKeys("2023-06-01", 50, after, null, null, null, null);
      page.getData().forEach(key -> System.out.println(key.getId()));
    } while (page.getHasMore());

    try {
      api.listApiKeys("2023-06-01", null, null, null, null, "no workspace", null);
    } catch (ApiException refused) {
      var answer = client.getObjectMapper().readValue(refused.getResponseBody(), ErrorAnswer.class);
      System.out.println(answer.getError().getType() + " " + answer.getError().getMessage());
    }
  }
}
