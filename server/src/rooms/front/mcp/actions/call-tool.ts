import { randomBytes } from 'node:crypto'
import type { CallOrigin } from '#platform/http'
import type { OpenedPage, ToolRequest, ToolResult } from '#platform/mcp'
import { Problem, platformProblem } from '#platform/problems'
import {
  type NextCall,
  type PersonPage,
  type Rendered,
  render,
  renderProblem,
  type Tool,
  type ToolEffect,
} from '#platform/tools'
import { mcpProblem } from '../errors.ts'
import { keyOf } from '../limits/call-limits.ts'
import type { Means } from '../means.ts'
import type { CallOutcome } from '../metrics.ts'
import { MOST_CHARACTERS, splitInput } from '../rules/split-input.ts'
import { auditCall } from './audit-call.ts'
import { sealState } from './seal-state.ts'

/** One call of a tool that the caller is offered. */
export interface ToolCallInput {
  readonly tool: Tool
  readonly request: Pick<ToolRequest, 'input' | 'client'> & Partial<Pick<ToolRequest, 'opensPages' | 'state'>>
}

export interface CalledTool extends ToolResult {
  readonly outcome: CallOutcome
}

/**
 * Does what a tool does, as the caller, and shows the answer within its budget. Whatever goes wrong is an answer too: the
 * agent reads why, and what to do. Each call is audited before its answer is sent.
 */
export async function callTool(
  means: Means,
  origin: CallOrigin,
  { tool, request }: ToolCallInput,
): Promise<CalledTool> {
  const began = means.clock.monotonic()
  const boundary = randomBytes(16).toString('hex')
  const { maxCharacters, input } = splitInput(request.input)
  const turn = means.limits.take(keyOf(origin.caller), tool.does)
  try {
    const attempted =
      'done' in turn
        ? await attempt(means, origin, { tool, input, boundary, maxCharacters })
        : refused(tooMany(turn), origin, boundary, 'limited')
    const { rendered, outcome, opens } = await noted(means, origin, { tool, request, input, boundary }, attempted)
    means.callMetrics.count(tool.name, outcome, (means.clock.monotonic() - began) / 1000)
    const { texts, structured } = rendered
    const page = pageFor(means, origin, { tool, request }, opens)
    return {
      texts,
      isError: outcome !== 'answered',
      outcome,
      ...(structured ? { structured } : {}),
      ...(page ? { opens: page } : {}),
    }
  } finally {
    // Not before the record is stored: a database that holds it up must hold up this token, and not gather its calls.
    if ('done' in turn) turn.done()
  }
}

interface Noted extends ToolCallInput {
  readonly input: Readonly<Record<string, unknown>>
  readonly boundary: string
}

/** The answer once it is on record. Where it cannot be recorded, the agent reads that instead of the answer. */
async function noted(
  means: Means,
  origin: CallOrigin,
  { tool, request, input, boundary }: Noted,
  attempted: Attempted,
): Promise<Attempted> {
  const { rendered, outcome } = attempted
  if (outcome === 'limited' && !means.limits.noteRefused(keyOf(origin.caller))) return attempted
  const bytes = rendered.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const call = { tool: tool.name, input: request.input, client: request.client, bytes, outcome, planId: planIn(input) }
  try {
    await auditCall(means, origin, call)
    return attempted
  } catch (error) {
    means.log.error({ err: error, requestId: origin.requestId, tool: tool.name }, 'the record of a call was not stored')
    const problem = platformProblem('overloaded', `${UNRECORDED[tool.does]} Call again in 5 s.`, { cause: error })
    return refused(problem, origin, boundary, 'failed')
  }
}

const UNRECORDED: Readonly<Record<ToolEffect, string>> = {
  read: 'The record of this call cannot be stored right now, so its answer is kept back.',
  plan: 'The record of this call cannot be stored right now, so its answer is kept back: the plan may have been made.',
  confirm:
    'The record of this call cannot be stored right now, so its answer is kept back: the write may have been done.',
}

/** A page is shown once: whoever comes back from it gets the answer itself, whatever the person did there. */
function pageFor(
  means: Means,
  { caller }: CallOrigin,
  { tool, request: { input, opensPages, state } }: ToolCallInput,
  opens: PersonPage | undefined,
): OpenedPage | undefined {
  if (opens === undefined || opensPages !== true || state !== undefined) return undefined
  const sealed = sealState(means, caller, { tool: tool.name, input }, new Date(opens.until))
  return { url: `${means.pages}/${opens.place}`, message: opens.message, state: sealed }
}

interface Attempt {
  readonly tool: Tool
  readonly input: Readonly<Record<string, unknown>>
  readonly boundary: string
  readonly maxCharacters: number
}

interface Attempted {
  readonly rendered: Rendered
  readonly outcome: CallOutcome
  readonly opens?: PersonPage | undefined
}

async function attempt(means: Means, origin: CallOrigin, { tool, input, ...showing }: Attempt): Promise<Attempted> {
  try {
    const checked = means.checkInput(tool, input)
    const answer = await tool.run({ calls: means.calls, origin, input: checked })
    const more = moreOf(tool, input, showing.maxCharacters)
    const isLargest = showing.maxCharacters >= MOST_CHARACTERS
    const rendered = render(answer, { ...showing, ...(isLargest || tool.does !== 'read' ? {} : { more }) })
    return { rendered, outcome: 'answered', opens: answer.opens }
  } catch (error) {
    const problem = error instanceof Problem ? error : unexpected(means, origin, tool, error)
    return refused(problem, origin, showing.boundary, problem.status >= 500 ? 'failed' : 'refused')
  }
}

function refused(problem: Problem, { requestId }: CallOrigin, boundary: string, outcome: CallOutcome): Attempted {
  return { rendered: renderProblem(problem, requestId, boundary), outcome }
}

/** A long argument, such as a document, is not repeated: it would take the room of the answer. */
const LONGEST_REPEATED = 300

function moreOf(tool: Tool, input: Attempt['input'], maxCharacters: number): NextCall {
  const repeated = Object.entries(input).filter(([, value]) => JSON.stringify(value).length <= LONGEST_REPEATED)
  const isWhole = repeated.length === Object.keys(input).length
  return {
    tool: tool.name,
    arguments: { ...Object.fromEntries(repeated), max_characters: Math.min(MOST_CHARACTERS, maxCharacters * 3) },
    brings: isWhole ? 'more of this answer' : 'more of this answer, with the other arguments as they were',
  }
}

function tooMany({ retryAfterSeconds, why }: { readonly retryAfterSeconds: number; readonly why: string }): Problem {
  const reason = why === 'rate' ? 'This token has made too many calls.' : 'This token has too many calls at once.'
  return mcpProblem('mcp.too_many_calls', `${reason} Call again in ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

function unexpected({ log }: Means, { requestId }: CallOrigin, tool: Tool, error: unknown): Problem {
  log.error({ err: error, requestId, tool: tool.name }, 'a tool failed')
  return platformProblem('internal_error', 'The call failed because of an error on our side.', { cause: error })
}

function planIn(input: Readonly<Record<string, unknown>>): string | null {
  const id = input['plan_id']
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : null
}
