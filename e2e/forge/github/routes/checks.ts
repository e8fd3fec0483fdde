import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../fields.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Route } from '../../http/route.ts'
import { enter, type Need } from '../caller.ts'
import { describeAnnotation, describeCheckRun } from '../describe.ts'
import type { Events } from '../events.ts'
import { pageOf } from '../paging.ts'
import { invalid, notFound, refuse } from '../refusals.ts'
import type { Annotation, App, CheckRun, Repository, World } from '../world.ts'

const READ: Need = ['checks', 'read']
const WRITE: Need = ['checks', 'write']

const REPOSITORY = '/repos/{owner}/{repo}'
const STATUSES = ['queued', 'in_progress', 'completed']
const CONCLUSIONS = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']
const LEVELS = ['notice', 'warning', 'failure']
const MOST_ANNOTATIONS = 50
const LONGEST_TEXT = 65_535
const ACTION_LENGTHS: Readonly<Record<string, number>> = { label: 20, description: 40, identifier: 20 }

/** Check runs: only an app may write them, and only its own. */
export function checkRoutes(world: World, events: Events): readonly Route[] {
  return [
    { method: 'POST', path: `${REPOSITORY}/check-runs`, handle: (call) => create(world, events, call) },
    {
      method: 'GET',
      path: `${REPOSITORY}/check-runs/{check_run_id}`,
      handle(call) {
        const { repository } = enter(world, call, READ)
        return { status: 200, body: describeCheckRun(world, repository, checkOf(repository, call)) }
      },
    },
    { method: 'PATCH', path: `${REPOSITORY}/check-runs/{check_run_id}`, handle: (call) => update(world, events, call) },
    {
      method: 'GET',
      path: `${REPOSITORY}/check-runs/{check_run_id}/annotations`,
      handle(call) {
        const { repository } = enter(world, call, READ)
        const check = checkOf(repository, call)
        return pageOf(world.url, call, [...check.annotations.keys()], (at) =>
          describeAnnotation(world, repository, check, at),
        )
      },
    },
    { method: 'GET', path: `${REPOSITORY}/commits/{ref}/check-runs`, handle: (call) => list(world, call) },
  ]
}

function create(world: World, events: Events, call: Call): Answer {
  const { token, repository } = enter(world, call, WRITE)
  const app = token.installation?.app
  if (!app) throw refuse(403, 'You must authenticate via a GitHub App.')
  const [name, headSha] = [textOf(call.body, 'name') ?? '', textOf(call.body, 'head_sha') ?? '']
  if (name === '') throw invalid('CheckRun', 'name', 'missing_field')
  if (!repository.commits.has(headSha)) throw refuse(422, `No commit found for SHA: ${headSha}`)
  const id = world.nextId()
  const check: CheckRun = {
    ...EMPTY,
    id,
    suiteId: suiteOf(world, repository, app, headSha),
    app,
    headSha,
    name,
    annotations: [],
  }
  change(world, check, call.body)
  repository.checkRuns.set(id, check)
  events.checkRun(repository, check, 'created', token.person)
  if (check.status === 'completed') events.checkRun(repository, check, 'completed', token.person)
  return { status: 201, body: describeCheckRun(world, repository, check) }
}

function update(world: World, events: Events, call: Call): Answer {
  const { token, repository } = enter(world, call, WRITE)
  const check = checkOf(repository, call)
  if (check.app !== token.installation?.app)
    throw refuse(
      403,
      'Invalid app_id `' + check.app.id + '` - check run can only be modified by the GitHub App that created it.',
    )
  const before = check.status
  change(world, check, call.body)
  if (before !== 'completed' && check.status === 'completed') {
    events.checkRun(repository, check, 'completed', token.person)
  }
  return { status: 200, body: describeCheckRun(world, repository, check) }
}

function list(world: World, call: Call): Answer {
  const { repository } = enter(world, call, READ)
  const ref = call.params['ref'] ?? ''
  const sha = repository.refs.get(`refs/heads/${ref}`) ?? ref
  const [name, status, app] = ['check_name', 'status', 'app_id'].map((field) => call.query.get(field))
  const found = [...repository.checkRuns.values()]
    .filter((check) => check.headSha === sha)
    .filter((check) => (name ?? check.name) === check.name && (status ?? check.status) === check.status)
    .filter((check) => (app ?? String(check.app.id)) === String(check.app.id))
  // One of each name and app is listed unless all are asked for.
  const all = call.query.get('filter') === 'all'
  const shown = found.filter((check) => all || !found.some((other) => isLater(other, check))).toReversed()
  const page = pageOf(world.url, call, shown, (check) => describeCheckRun(world, repository, check))
  return { ...page, body: { total_count: shown.length, check_runs: page.body } }
}

function isLater(other: CheckRun, check: CheckRun): boolean {
  return other.id > check.id && other.name === check.name && other.app === check.app
}

function checkOf(repository: Repository, { params }: Call): CheckRun {
  const check = repository.checkRuns.get(Number(params['check_run_id']))
  if (!check) throw notFound()
  return check
}

function suiteOf(world: World, repository: Repository, app: App, headSha: string): number {
  const known = repository.checkRuns.values().find((check) => check.app === app && check.headSha === headSha)
  return known?.suiteId ?? world.nextId()
}

const EMPTY = {
  externalId: '',
  detailsUrl: null,
  status: 'queued',
  conclusion: null,
  startedAt: null,
  completedAt: null,
  title: null,
  summary: null,
  text: null,
  actions: [],
}

/** Checks all fields before it changes any. */
function change(world: World, check: CheckRun, body: Fields): void {
  const conclusion = textOf(body, 'conclusion')
  const status = textOf(body, 'status') ?? (conclusion === undefined ? check.status : 'completed')
  if (!STATUSES.includes(status)) throw invalid('CheckRun', 'status', 'invalid')
  if (conclusion !== undefined && !CONCLUSIONS.includes(conclusion)) throw invalid('CheckRun', 'conclusion', 'invalid')
  if (status === 'completed' && (conclusion ?? check.conclusion) === null) {
    throw refuse(422, 'Invalid request.\n\nMissing required property: conclusion.')
  }
  const output = fieldsOf(body, 'output')
  const annotations = body['output'] === undefined ? [] : readOutput(output)
  const actions = body['actions'] === undefined ? check.actions : readActions(body)
  check.name = textOf(body, 'name') ?? check.name
  check.externalId = textOf(body, 'external_id') ?? check.externalId
  check.detailsUrl = textOf(body, 'details_url') ?? check.detailsUrl ?? check.app.externalUrl
  check.status = status
  // A completed check that runs again has no conclusion any more.
  check.conclusion = status === 'completed' ? (conclusion ?? check.conclusion) : null
  check.startedAt = textOf(body, 'started_at') ?? check.startedAt ?? world.clock.text()
  check.completedAt =
    status === 'completed' ? (textOf(body, 'completed_at') ?? check.completedAt ?? world.clock.text()) : null
  check.title = textOf(output, 'title') ?? check.title
  check.summary = textOf(output, 'summary') ?? check.summary
  check.text = textOf(output, 'text') ?? check.text
  check.annotations.push(...annotations)
  check.actions = actions
}

function readOutput(output: Fields): readonly Annotation[] {
  for (const field of ['title', 'summary']) {
    if (textOf(output, field) === undefined) throw refuse(422, `Invalid request.\n\n"${field}" wasn't supplied.`)
  }
  for (const field of ['summary', 'text']) {
    if (Buffer.byteLength(textOf(output, field) ?? '') > LONGEST_TEXT) {
      throw refuse(422, `Invalid request.\n\nOnly 65535 characters are allowed; ${field} is too long.`)
    }
  }
  const listed = listOf(output, 'annotations')
  if (listed.length > MOST_ANNOTATIONS) {
    throw refuse(422, `Invalid request.\n\nNo more than 50 items are allowed; ${listed.length} were supplied.`)
  }
  return listed.map((item) => readAnnotation(isFields(item) ? item : {}))
}

function readAnnotation(item: Fields): Annotation {
  const { start_line: start, end_line: end } = item
  const [path, level, message] = [textOf(item, 'path'), textOf(item, 'annotation_level'), textOf(item, 'message')]
  if (path === undefined || path === '') throw invalid('CheckAnnotation', 'path', 'missing_field')
  if (level === undefined || !LEVELS.includes(level)) throw invalid('CheckAnnotation', 'annotation_level', 'invalid')
  if (message === undefined || message === '') throw invalid('CheckAnnotation', 'message', 'missing_field')
  if (typeof start !== 'number' || typeof end !== 'number' || end < start || start < 1) {
    throw invalid('CheckAnnotation', 'start_line', 'invalid')
  }
  const title = textOf(item, 'title') ?? null
  return { path, start_line: start, end_line: end, annotation_level: level, message, title }
}

function readActions(body: Fields): readonly unknown[] {
  const actions = listOf(body, 'actions')
  if (actions.length > 3) throw refuse(422, 'Invalid request.\n\nNo more than 3 items are allowed.')
  for (const action of actions) {
    for (const [field, most] of Object.entries(ACTION_LENGTHS)) {
      const text = isFields(action) ? textOf(action, field) : undefined
      if (text === undefined || [...text].length > most) throw invalid('CheckAction', field, 'invalid')
    }
  }
  return actions
}
