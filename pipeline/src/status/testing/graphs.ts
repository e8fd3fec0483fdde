import type { RunFacts } from '../../facts/index.ts'
import {
  APPROVAL_TASK,
  compileGraph,
  type Graph,
  type GraphApproval,
  type StepDefinition,
  type TaskDefinition,
} from '../../graph/index.ts'
import type { RunContext } from '../transition.ts'

type RunTaskDefinition = Extract<TaskDefinition, { kind: 'run' }>

/** A task of a test graph: the defaults with the given fields. */
export function aTask(name: string, given: Partial<RunTaskDefinition> = {}): RunTaskDefinition {
  return {
    name,
    dependsOn: [],
    condition: null,
    timeoutMs: null,
    ignoreFailure: false,
    idempotent: false,
    retry: { attempts: 1, backoffMs: 0, exitCodes: null },
    env: {},
    outputs: {},
    checkout: true,
    profile: null,
    container: null,
    matrix: null,
    template: name,
    artifacts: null,
    needsArtifacts: [],
    cache: null,
    kind: 'run',
    script: 'true',
    ...given,
  }
}

/** A step of a test graph; without tasks it gets one, `work`. */
export function aStep(name: string, given: Partial<StepDefinition> = {}): StepDefinition {
  return {
    name,
    dependsOn: [],
    condition: null,
    timeoutMs: null,
    ignoreFailure: false,
    when: 'success',
    scope: null,
    profile: null,
    tasks: [aTask('work')],
    ...given,
  }
}

/** A step that waits for people; its one field is `version`. */
export function anApproval(
  name: string,
  given: Partial<StepDefinition> = {},
  approval: Partial<GraphApproval> = {},
): StepDefinition {
  const { script: _, ...common } = aTask(APPROVAL_TASK, {
    outputs: { version: { sensitive: false }, decided_by: { sensitive: false } },
  })
  const asked: GraphApproval = {
    approvers: ['group:leads'],
    required: 1,
    timeoutMs: 86_400_000,
    reminderMs: null,
    allowSelf: false,
    message: null,
    fields: [{ name: 'version', type: 'text', required: false, options: [], default: null, description: null }],
    ...approval,
  }
  return aStep(name, { tasks: [{ ...common, kind: 'approval', approval: asked }], ...given })
}

export function aGraph(...steps: readonly StepDefinition[]): Graph {
  return compileGraph({
    timeoutMs: null,
    queueTimeoutMs: null,
    priority: 0,
    concurrency: null,
    finalOutputs: [],
    profile: null,
    variables: {},
    secrets: {},
    steps,
  })
}

/** A run of a branch that somebody asked for. */
export const aRun: RunFacts = {
  id: '0193b5a0-0000-7000-8000-000000000001',
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  cause: 'request',
  repository: 'acme/shop',
  ref: 'refs/heads/main',
  branch: 'main',
  tag: null,
  commit: 'a'.repeat(40),
  pullRequest: null,
  baseRef: null,
  headRef: null,
  scheduledAt: null,
}

export const noContext: RunContext = { run: aRun, event: null, variables: {} }
