package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"walk/client"
)

func main() {
	authenticate := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("ADMIN_KEY"))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(authenticate))
	if err != nil {
		log.Fatal(err)
	}
	list := func(params client.ListApiKeysParams) *client.ListApiKeysResponse {
		params.AnthropicVersion = "2023-06-01"
		answer, err := api.ListApiKeysWithResponse(context.Background(), &params)
		if err != nil {
			log.Fatal(err)
		}
		return answer
	}

	limit := 50
	params := client.ListApiKeysParams{Limit: &limit}
	for more := true; more; {
		page := list(params).JSON200
		for _, key := range page.Data {
			fmt.Println(key.Id)
		}
		params.AfterId, more = page.LastId, page.HasMore
	}

	wrong := "no workspace"
	refusal := list(client.ListApiKeysParams{WorkspaceId: &wrong}).JSON400
	fmt.Println(refusal.Error.Type, refusal.Error.Message)
}
