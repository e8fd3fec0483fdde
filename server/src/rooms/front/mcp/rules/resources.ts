import type { OfferedTemplate } from '#platform/mcp'

/** A resource that a tool answers: reading it is calling the tool. */
export interface ToolView {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

interface Template extends OfferedTemplate {
  readonly tool: string
  readonly pattern: RegExp
  readonly inputOf: (match: RegExpExecArray, query: URLSearchParams) => Readonly<Record<string, unknown>>
}

const TEMPLATES: readonly Template[] = [
  {
    uriTemplate: 'signalbox://runs/{id}',
    name: 'run',
    title: 'A run',
    description: 'Status, steps and tasks of a run.',
    mimeType: 'text/plain',
    tool: 'get_run',
    pattern: /^signalbox:\/\/runs\/([0-9a-f-]{36})$/,
    inputOf: ([, id]) => ({ run_id: id }),
  },
  {
    uriTemplate: 'signalbox://runs/{id}/log{?step,task}',
    name: 'log',
    title: 'The end of a log',
    description: 'The last lines of a run, of a step or of a task.',
    mimeType: 'text/plain',
    tool: 'read_log',
    pattern: /^signalbox:\/\/runs\/([0-9a-f-]{36})\/log$/,
    inputOf: ([, id], query) => ({
      run_id: id,
      ...Object.fromEntries([...query].filter(([name]) => name === 'step' || name === 'task')),
    }),
  },
  {
    uriTemplate: 'signalbox://pipelines/{+path}',
    name: 'pipeline',
    title: 'A pipeline',
    description: 'A pipeline with its document.',
    mimeType: 'text/plain',
    tool: 'get_pipeline',
    pattern: /^signalbox:\/\/pipelines\/([\w./-]{1,600})$/,
    inputOf: ([, path]) => ({ pipeline: path, document: true }),
  },
  {
    uriTemplate: 'signalbox://deliveries/{id}',
    name: 'delivery',
    title: 'A delivery',
    description: 'What a provider delivered, and what decided about it.',
    mimeType: 'text/plain',
    tool: 'get_delivery',
    pattern: /^signalbox:\/\/deliveries\/([0-9a-f-]{36})$/,
    inputOf: ([, id]) => ({ delivery_id: id }),
  },
]

const DOCUMENT = /^signalbox:\/\/docs\/([\w-]+(?:\/[\w-]+)?)$/

export const DOCUMENT_URI = 'signalbox://docs/'
export const SCHEMA_URI = 'signalbox://schemas/pipeline'

export const DOCUMENT_TEMPLATE: OfferedTemplate = {
  uriTemplate: 'signalbox://docs/{+page}',
  name: 'docs',
  title: 'A page of the documentation',
  description: 'How Signalbox works, such as runs or pipelines/language.',
  mimeType: 'text/markdown',
}

/** The templates whose tool is offered. */
export function templatesOf(tools: ReadonlySet<string>): readonly OfferedTemplate[] {
  const views = TEMPLATES.filter(({ tool }) => tools.has(tool)).map(
    ({ uriTemplate, name, title, description, mimeType }) => ({ uriTemplate, name, title, description, mimeType }),
  )
  return [...views, DOCUMENT_TEMPLATE]
}

/** The call that answers the resource; undefined where no template has this form. */
export function viewOf(uri: string): ToolView | undefined {
  const [path = '', query = ''] = uri.split('?', 2)
  for (const { pattern, tool, inputOf } of TEMPLATES) {
    const match = pattern.exec(path)
    if (match) return { tool, input: inputOf(match, new URLSearchParams(query)) }
  }
  return undefined
}

/** The name of the page of the documentation; undefined for another resource. */
export function documentIn(uri: string): string | undefined {
  return DOCUMENT.exec(uri)?.[1]
}
