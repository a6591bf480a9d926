package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go/auth/bearer"
)

// bedrock has the library's client send the tools in a request that goes nowhere.
func bedrock(doc []byte) ([]byte, error) {
	var given []struct {
		ToolSpec struct {
			Name, Description *string
			InputSchema       struct{ JSON any }
		}
	}
	if err := strictly(doc, &given); err != nil {
		return nil, err
	}
	config := &types.ToolConfiguration{}
	for _, g := range given {
		config.Tools = append(config.Tools, &types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: g.ToolSpec.Name, Description: g.ToolSpec.Description,
			InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(g.ToolSpec.InputSchema.JSON)},
		}})
	}
	wire := &wire{}
	client := bedrockruntime.New(bedrockruntime.Options{
		Region: "nowhere-1", HTTPClient: wire, RetryMaxAttempts: 1, AuthSchemePreference: []string{"httpBearerAuth"},
		BearerAuthTokenProvider: bearer.StaticTokenProvider{Token: bearer.Token{Value: "none"}},
	})
	_, err := client.Converse(context.Background(), &bedrockruntime.ConverseInput{ModelId: aws.String("model"), ToolConfig: config})
	if wire.body == nil {
		return nil, err
	}
	var sent struct {
		ToolConfig struct{ Tools json.RawMessage }
	}
	return sent.ToolConfig.Tools, json.Unmarshal(wire.body, &sent)
}

// wire keeps what a client sends, and answers that it is nobody.
type wire struct{ body []byte }

func (w *wire) Do(r *http.Request) (res *http.Response, err error) {
	w.body, err = io.ReadAll(r.Body)
	return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, err
}
