import assert from 'node:assert/strict'
import type { Api } from '../house/api.ts'

/** A plan as its planner reads it. */
export interface Plan {
  readonly id: string
  readonly action: string
  readonly target: string
  readonly status: string
  readonly decided_by: { readonly name: string } | null
  readonly outcome: { readonly resources: readonly { readonly kind: string; readonly id: string | null }[] } | null
}

const PEOPLE: readonly string[] = ['web-owner', 'web-administrator']

/**
 * A protected environment, where whatever an agent plans takes a second person: the agent may use it, and so may the owner and
 * the administrator. Answers its scope.
 */
export async function makeGuarded(admin: Api, teamPath: string, agent: Api): Promise<string> {
  const users = await admin.get<{ id: string; login: string }[]>('/v1/users?limit=500')
  const { id } = await agent.get<{ id: string }>('/v1/auth/me')
  const people = users.filter(({ login }) => PEOPLE.includes(login)).map((person) => person.id)
  await admin.send('POST', `/v1/teams/${teamPath}/environments`, {
    name: 'guarded',
    protected: true,
    allowed_subjects: [id, ...people].map((each) => `user:${each}`),
  })
  return `${teamPath}/guarded`
}

/** What an agent plans, and confirms: a person is left to decide. */
export async function putBeforePerson(agent: Api, planned: Pick<Plan, 'id' | 'action' | 'target'>): Promise<Plan> {
  const { id, action, target } = planned
  const plan = await agent.send<Plan>('POST', `/v1/plans/${id}/confirm`, { action, target })
  assert.equal(plan.status, 'waiting_for_person')
  return plan
}

/** The words of a plan to run the pipeline. */
export function runOf(pipeline: string, body: object): object {
  return { action: 'startRun', params: { id: pipeline }, body }
}

/** A call of a tool, by a client that calls itself so. */
export async function callTool({ url, token }: Api, tool: string, client: string): Promise<void> {
  const answer = await fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'user-agent': client },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } }),
  })
  assert.equal(answer.status, 200, await answer.text())
}
