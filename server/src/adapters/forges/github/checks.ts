import { callForge, callPages, encodeSegments, nextByLink, undocumented } from '../api-client.ts'
import { readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, id, name } from '../payload-fields.ts'
import type { ForgeAnswer, ForgeConnection } from '../port.ts'
import type { CheckAnnotation, CheckRun, ForgeChecks } from '../telling-port.ts'
import { apiUrl, callOf } from './api.ts'

/** GitHub refuses longer ones; counted in characters of its database, of which an emoji is several. */
const MAX_SUMMARY = 65_535
const MAX_TITLE = 255
const MAX_ANNOTATION_TITLE = 255
const MAX_ANNOTATION_MESSAGE = 64_000
const PAGE = 100

/** Check runs of GitHub, which only apps may write. */
export const checks: ForgeChecks = {
  annotationsPerCall: 50,

  async create(connection, check) {
    const body = { ...describe(check), head_sha: check.commitSha }
    const path = `${repositoryPath(check.repository)}/check-runs`
    const answer = await callForge(connection, { ...callOf(connection), method: 'POST', path, body })
    if (answer.outcome !== 'found') return answer
    const created = isObject(answer.value.body) ? id(answer.value.body, 'id') : null
    return created === null ? undocumented() : { outcome: 'found', value: created }
  },

  update: (connection, checkId, check) => change(connection, check.repository, checkId, describe(check)),

  annotate(connection, checkId, check, annotations) {
    const { output } = describe(check)
    const body = { output: { ...output, annotations: annotations.map(describeAnnotation) } }
    return change(connection, check.repository, checkId, body)
  },

  async findId(connection, { repository, commitSha, name: wanted, externalId }) {
    const query = new URLSearchParams({ check_name: wanted, filter: 'all', per_page: String(PAGE) })
    const path = `${repositoryPath(repository)}/commits/${encodeURIComponent(commitSha)}/check-runs?${query.toString()}`
    const call = { ...callOf(connection), path }
    const answer = await callPages(connection, call, readChecks, (reply) => nextByLink(reply, apiUrl(connection)))
    if (answer.outcome !== 'found') return answer
    const own = answer.value.find((check) => name(check, 'external_id') === externalId)
    const found = own && id(own, 'id')
    return found ? { outcome: 'found', value: found } : { outcome: 'not_found' }
  },

  async countAnnotations(connection, repository, checkId) {
    const path = `${repositoryPath(repository)}/check-runs/${encodeURIComponent(checkId)}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    const counted = isObject(body) ? child(body, 'output')['annotations_count'] : undefined
    return typeof counted === 'number' ? { outcome: 'found', value: counted } : undocumented()
  },

  readRerun(eventType, payload) {
    if (!isObject(payload) || payload['action'] !== 'rerequested') return undefined
    if (eventType !== 'check_run' && eventType !== 'check_suite') return undefined
    const check = child(payload, eventType)
    const commitSha = readSha(check['head_sha'])
    if (commitSha === undefined) return undefined
    if (eventType === 'check_suite') return { commitSha, externalId: null }
    const externalId = name(check, 'external_id')
    return externalId === null ? undefined : { commitSha, externalId }
  },
}

function repositoryPath(repository: string): string {
  return `/repos/${encodeSegments(repository)}`
}

async function change(
  connection: ForgeConnection,
  repository: string,
  checkId: string,
  body: unknown,
): Promise<ForgeAnswer<null>> {
  const path = `${repositoryPath(repository)}/check-runs/${encodeURIComponent(checkId)}`
  const answer = await callForge(connection, { ...callOf(connection), method: 'PATCH', path, body })
  return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
}

/** GitHub takes a conclusion for completed, and a check with a conclusion is completed whatever its status says. */
function describe(check: CheckRun) {
  return {
    name: check.name,
    external_id: check.externalId,
    details_url: check.detailsUrl,
    status: check.status,
    ...(check.conclusion === null ? {} : { conclusion: check.conclusion }),
    ...(check.startedAt === null ? {} : { started_at: check.startedAt }),
    ...(check.completedAt === null ? {} : { completed_at: check.completedAt }),
    output: { title: cut(check.title, MAX_TITLE), summary: cut(check.summary, MAX_SUMMARY) },
  }
}

function describeAnnotation({ path, startLine, endLine, level, title, message }: CheckAnnotation) {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    ...(title === null ? {} : { title: cut(title, MAX_ANNOTATION_TITLE) }),
    message: cut(message, MAX_ANNOTATION_MESSAGE),
  }
}

function readChecks(body: unknown): readonly JsonObject[] | undefined {
  return isObject(body) && Array.isArray(body['check_runs']) ? children(body, 'check_runs') : undefined
}

/** By bytes of UTF-8, the narrowest way in which a provider may count. */
function cut(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > max) break
    kept += character
  }
  return kept
}
