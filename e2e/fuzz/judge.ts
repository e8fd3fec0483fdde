import assert from 'node:assert/strict'
import type { RawAnswer, RawRequest } from '../house/raw-http.ts'

/** The words that only our inside knows: frames of a stack, SQL, the database's own sentences, password hashes. */
const INSIDE =
  /\n\s+at |node_modules|file:\/\/|\.ts:\d+|\b(select .+ from|insert into|delete from|update \w+ set) |violates|duplicate key|invalid input syntax|pg_|kysely|\$argon2|ECONN/i

/** An answer to any request whatever: one of `statuses`, below 500, a problem where it is one, and nothing of our inside. */
export function judgeAnswer(
  raw: RawRequest,
  answer: RawAnswer,
  statuses: readonly number[],
  planted: readonly string[],
): void {
  const shown = `${raw.method} ${raw.path.slice(0, 300)} -> ${answer.status} ${answer.body.slice(0, 600)}`
  assert.ok(answer.status < 500, shown)
  assert.ok(statuses.includes(answer.status), `a status that the document does not name: ${shown}`)
  assert.equal(typeof answer.headers['x-request-id'], 'string', `no x-request-id: ${shown}`)
  for (const secret of planted) assert.ok(!answer.body.includes(secret), `a secret: ${shown}`)
  if (answer.status < 400) return
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  if (problem['jsonrpc'] === '2.0') return judgeProtocolError(raw, problem, shown)
  assert.equal(answer.headers['content-type'], 'application/problem+json', shown)
  for (const member of ['type', 'title', 'detail', 'code', 'request_id']) {
    assert.equal(typeof problem[member], 'string', `${member}: ${shown}`)
  }
  assert.equal(problem['status'], answer.status, shown)
  const ours = JSON.stringify({ ...problem, errors: undefined, detail: withoutEcho(raw, String(problem['detail'])) })
  assert.doesNotMatch(ours, INSIDE, shown)
}

/** The endpoint of agents refuses a message as JSON-RPC says, not as a problem. */
function judgeProtocolError(raw: RawRequest, { error }: Record<string, unknown>, shown: string): void {
  const { code, message } = Object(error)
  assert.ok(raw.path.startsWith('/v1/mcp'), shown)
  assert.equal(typeof code, 'number', shown)
  assert.doesNotMatch(withoutEcho(raw, String(message)), INSIDE, shown)
}

/** A detail may quote the request. */
function withoutEcho(raw: RawRequest, detail: string): string {
  return raw.body && raw.body.length > 0 ? detail.replaceAll(/".*"|`.*`/gs, '') : detail.replace(raw.path, '')
}
