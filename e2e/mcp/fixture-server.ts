import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type JSONRPCRequest,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'

// The tools, resources and prompts that the official conformance sets ask for. Most show what Signalbox has no use for:
// images, sounds, progress, questions to the person. They are answered behind the real endpoint, its two eras and its
// door, beside the real tools.

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

/** What a server asks of the person comes back with its state, which no client can make up. */
const states = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) })

type Tool = (context: ServerContext) => Result | Promise<Result>

const image = { type: 'image', data: IMAGE, mimeType: 'image/png' }

function text(words: string): Result {
  return { content: [{ type: 'text', text: words }] }
}

function resource(uri: string, mimeType: string, words: string): object {
  return { type: 'resource', resource: { uri, mimeType, text: words } }
}

function askFor(message: string, field: string, type: 'string' | 'boolean' = 'string') {
  const property = type === 'string' ? { type: 'string' as const } : { type: 'boolean' as const }
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: property }, required: [field] },
  })
}

function sample(words: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 50,
  })
}

function nonce(): string {
  return randomBytes(8).toString('hex')
}

function answered({ mcpReq }: ServerContext, name: string): unknown {
  return mcpReq.inputResponses?.[name]
}

function accepted({ mcpReq }: ServerContext, name: string, field: string): unknown {
  return Object(acceptedContent(mcpReq.inputResponses, name))[field]
}

async function withProgress({ mcpReq }: ServerContext): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return text('nobody asked for progress')
  for (const progress of [0, 50, 100]) {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
  }
  return text(String(progressToken))
}

async function multiRound(context: ServerContext): Promise<Result> {
  const { round = 0, name } = Object(context.mcpReq.requestState())
  if (round === 0) {
    return inputRequired({
      inputRequests: { step1: askFor('What is your name?', 'name') },
      requestState: await states.mint({ round: 1, nonce: nonce() }),
    })
  }
  if (round === 1) {
    return inputRequired({
      inputRequests: { step2: askFor('Which colour do you like?', 'color') },
      requestState: await states.mint({ round: 2, name: accepted(context, 'step1', 'name'), nonce: nonce() }),
    })
  }
  return text(`${String(name)} likes ${String(accepted(context, 'step2', 'color'))}`)
}

async function withState(context: ServerContext): Promise<Result> {
  const isBack = context.mcpReq.requestState() !== undefined && accepted(context, 'confirm', 'ok') !== undefined
  if (isBack) return text('state-ok: the state came back as it was')
  return inputRequired({
    inputRequests: { confirm: askFor('Please confirm', 'ok', 'boolean') },
    requestState: await states.mint({ nonce: nonce() }),
  })
}

async function manyInputs(context: ServerContext): Promise<Result> {
  const [name, greeting, roots] = ['user_name', 'greeting', 'client_roots'].map((each) => answered(context, each))
  if (name && greeting && roots) return text('all three were answered')
  return inputRequired({
    inputRequests: {
      user_name: askFor('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await states.mint({ nonce: nonce() }),
  })
}

/** Only what the client says that it can. */
function withCapabilities(context: ServerContext): Result {
  if (context.mcpReq.inputResponses !== undefined) return text('answered')
  const declared = Object(Object(context.mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY])
  const inputRequests: InputRequests = {
    ...(declared.elicitation === undefined ? {} : { user_name: askFor('What is your name?', 'name') }),
    ...(declared.sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
    ...(declared.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
  }
  return Object.keys(inputRequests).length === 0 ? text('nothing to ask') : inputRequired({ inputRequests })
}

const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_progress: withProgress,
  test_streaming_elicitation: () => text('no request of the server among the frames'),
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'only where the request asks for a level')
    return text('logged')
  },
  test_missing_capability: (context) =>
    answered(context, 'answer') === undefined
      ? inputRequired({ inputRequests: { answer: sample('Say pong.') } })
      : text('answered'),
  test_input_required_result_elicitation: (context) =>
    accepted(context, 'user_name', 'name') === undefined
      ? inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } })
      : text(`Hello, ${String(accepted(context, 'user_name', 'name'))}!`),
  test_input_required_result_sampling: (context) =>
    answered(context, 'capital_question') === undefined
      ? inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
      : text(JSON.stringify(answered(context, 'capital_question'))),
  test_input_required_result_list_roots: (context) =>
    answered(context, 'client_roots') === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : text(JSON.stringify(answered(context, 'client_roots'))),
  test_input_required_result_request_state: withState,
  test_input_required_result_tampered_state: withState,
  test_input_required_result_multiple_inputs: manyInputs,
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: withCapabilities,
}

const RESOURCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: IMAGE },
  'test://template/123/data': { mimeType: 'application/json', text: '{"id":"123","templateTest":true}' },
}

function said(...contents: readonly object[]): Result {
  return { messages: contents.map((content) => ({ role: 'user', content })) }
}

const PROMPTS: Readonly<Record<string, (input: Readonly<Record<string, unknown>>, context: ServerContext) => Result>> =
  {
    test_simple_prompt: () => said({ type: 'text', text: 'This is a simple prompt for testing.' }),
    test_prompt_with_arguments: ({ arg1, arg2 }) =>
      said({ type: 'text', text: `Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'` }),
    test_prompt_with_embedded_resource: ({ resourceUri }) =>
      said(resource(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'), {
        type: 'text',
        text: 'Please process the embedded resource above.',
      }),
    test_prompt_with_image: () => said(image, { type: 'text', text: 'Please analyze the image above.' }),
    test_input_required_result_prompt: (_input, context) =>
      accepted(context, 'user_context', 'context') === undefined
        ? inputRequired({ inputRequests: { user_context: askFor('Which context?', 'context') } })
        : said({ type: 'text', text: `Use the context ${String(accepted(context, 'user_context', 'context'))}` }),
  }

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

type Handle = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/** The SDK's server with the fixtures beside what Signalbox offers. `changeGrants` makes a list of tools another one. */
export function fixtureServer(changeGrants: () => Promise<void>) {
  const tools: Readonly<Record<string, Tool>> = {
    ...TOOLS,
    async test_trigger_tool_change() {
      await changeGrants()
      return text('the grants are others now')
    },
  }

  return class FixtureServer extends Server {
    constructor(info: ConstructorParameters<typeof Server>[0], options: ServerOptions = {}) {
      super(info, { ...options, requestState: { verify: states.verify } })
    }

    protected override _wrapHandler(method: string, handle: Handle): Handle {
      return super._wrapHandler(method, async (request, context) => {
        const { name = '', uri = '', arguments: input = {} } = Object(request.params)
        if (method === 'tools/call' && tools[name]) return await tools[name](context)
        if (method === 'prompts/get' && PROMPTS[name]) return PROMPTS[name](input, context)
        if (method === 'resources/read' && RESOURCES[uri]) return { contents: [{ uri, ...RESOURCES[uri] }] }
        return withFixtures(method, await handle(request, context), Object.keys(tools))
      })
    }
  }
}

function withFixtures(method: string, result: Result, tools: readonly string[]): Result {
  const listed = (field: string): unknown[] => Object(result)[field] ?? []
  switch (method) {
    case 'tools/list': {
      const fixtures = tools.map((name) => ({ name, description: 'A fixture.', inputSchema: { type: 'object' } }))
      return { ...result, tools: [...listed('tools'), ...fixtures] }
    }
    case 'resources/list': {
      const fixtures = Object.keys(RESOURCES).map((uri) => ({ uri, name: uri }))
      return { ...result, resources: [...listed('resources'), ...fixtures] }
    }
    case 'prompts/list': {
      const fixtures = Object.keys(PROMPTS).map((name) => ({
        name,
        description: 'A fixture.',
        arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
      }))
      return { ...result, prompts: [...listed('prompts'), ...fixtures] }
    }
    default:
      return result
  }
}
