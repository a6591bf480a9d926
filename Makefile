# The verbs of this project. Each one stands alone; `make test` is what CI runs.
GO     ?= go
LINTER  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
VULNS   = golang.org/x/vuln/cmd/govulncheck@v1.9.0
FUZZ   ?= 30s
# The race detector links with a C compiler: without one the tests run, but not that, and CI fails.
RACE   := $(shell command -v $$($(GO) env CC) >/dev/null && echo -race)

.PHONY: build demo test lint vulns cross fuzz soak bench golden clients clean

build: ## bin/toolspec
	$(GO) build -o bin/toolspec ./cmd/toolspec

demo: build ## the main job, step by step: serve, call, edit, call again
	$(GO) run ./testdata/demo bin/toolspec

# A package has 14 minutes: one of them first builds the libraries of the providers, which a slow machine takes its time for.
test: lint cross clients ## everything that must pass
	@test -n "$(RACE)" || { echo "NO C COMPILER: the tests run without the race detector" >&2; test -z "$$CI"; }
	$(GO) test $(RACE) -timeout 14m ./...
	@$(MAKE) --no-print-directory vulns

lint: ## formatting, vet, staticcheck, gosec
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(LINTER) ./...
	$(GO) build -C testdata/gosec -o ../../bin/gosec .
	bin/gosec -test=false ./...

vulns: ## known vulnerabilities in what we call; last in make test, where it is seen that there was no database to ask
	GOBIN=$(CURDIR)/bin $(GO) install $(VULNS)
	@$(GO) run ./testdata/vulns bin/govulncheck ./...

cross: ## it builds for every system we name
	GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/toolspec
	GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/toolspec
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/toolspec

clients: ## what the end-to-end tests drive: agent libraries of other people
	@./testdata/clients/install

fuzz: ## every fuzz target, FUZZ each (make fuzz FUZZ=10m)
	@./testdata/fuzz.sh $(FUZZ)

soak: ## a vandal, kill -9, tools at their worst: 24,000 operations on a directory, 100 kills, 10,000 calls each way
	$(GO) test -race ./loader -run TestModel -v -operations 4000 -parallel 6 -timeout 60m
	$(GO) test ./cmd/toolspec -run TestKilled -v -kills 100 -timeout 30m
	$(GO) test ./cmd/toolspec -run TestSoak -v -calls 10000 -timeout 60m

bench: ## ratios to a floor, all in one run; of what is promised, whether it is met
	$(GO) run ./testdata/bench
	$(GO) run ./testdata/bench/reload

golden: ## write the expected outputs anew
	$(GO) test ./spec ./spec/export ./exec ./check ./serve/mcpserver ./cmd/toolspec -update

clean:
	rm -rf bin dist
