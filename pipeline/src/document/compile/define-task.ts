import { hasLimits } from '../../graph/container-limits.ts'
import type { ApprovalAction, GraphContainer, TaskDefinition, TaskReference, ValueTemplate } from '../../graph/index.ts'
import { isPullPolicy } from '../../images/index.ts'
import { parseTemplate } from '../../outputs/index.ts'
import type { TaskAction } from '../../tasks/index.ts'
import { matrixVariable } from '../checks/index.ts'
import { LONGEST_RETENTION_MS } from '../duration.ts'
import type { DocumentLimits } from '../limits.ts'
import { fillIn, type Instance, type Layout, type StepLayout } from '../matrix/index.ts'
import {
  type ContainerOutline,
  millisecondsOf,
  type Outline,
  type Placed,
  registryCredentialsOf,
  type TaskOutline,
} from '../outline/index.ts'
import { approvalAction } from './define-approval.ts'
import { defineCheckout } from './define-checkout.ts'

/** The parts that all tasks of a document are made with. */
export interface TaskMeans {
  readonly outline: Outline
  readonly layout: Layout
  readonly limits: DocumentLimits
}

/** One instance of a sound task; without a matrix it is the only one. */
export function defineTask(
  means: TaskMeans,
  step: StepLayout,
  task: TaskOutline,
  instance: Instance,
): TaskDefinition | undefined {
  const action = actionOf(means, step, task, instance.at)
  if (task.name === undefined || action === undefined) return undefined
  const combination = step.combinations?.[instance.at] ?? null
  const fill = (text: string) => fillIn(text, combination).text
  const { artifacts, cache, retry } = task
  const variables = hasEnvironment(action) ? Object.entries(combination ?? {}) : []
  return {
    name: instance.name,
    dependsOn: task.dependsOn.map((dependency) => ownInstance(step, dependency.value, instance.at)),
    condition: task.condition?.value ?? null,
    timeoutMs: millisecondsOf(task.timeout) ?? (task.approval ? null : means.limits.defaultTaskTimeoutMs),
    ignoreFailure: task.ignoreFailure?.value ?? false,
    idempotent: task.idempotent,
    retry: {
      attempts: retry?.attempts ?? 1,
      backoffMs: millisecondsOf(retry?.backoff) ?? 0,
      exitCodes: retry?.exitCodes ?? null,
    },
    env: {
      ...Object.fromEntries(variables.map(([axis, value]) => [matrixVariable(axis), [value]])),
      ...templates(means, step, task.env, instance.at),
    },
    outputs: Object.fromEntries(task.outputs),
    checkout: defineCheckout(task.checkout, means.outline.checkout),
    profile: task.profile?.value ?? null,
    container: containerOf(task.container, fill),
    matrix: combination,
    template: task.name.value,
    artifacts: artifacts
      ? {
          name: fill(artifacts.name?.value ?? instance.name),
          paths: artifacts.paths.map(({ value }) => fill(value)),
          when: artifacts.when === 'failure' || artifacts.when === 'always' ? artifacts.when : 'success',
          retentionMs: millisecondsOf(artifacts.retention, LONGEST_RETENTION_MS) ?? null,
        }
      : null,
    needsArtifacts: neededArtifacts(means, step, task, instance.at),
    cache: cache
      ? {
          key: fill(cache.key?.value ?? ''),
          files: cache.files.map(({ value }) => fill(value)),
          paths: cache.paths.map(({ value }) => fill(value)),
          fallback: cache.fallback.map(({ value }) => fill(value)),
        }
      : null,
    ...action,
  }
}

function actionOf(
  means: TaskMeans,
  step: StepLayout,
  task: TaskOutline,
  at: number,
): TaskAction | ApprovalAction | undefined {
  if (task.approval !== undefined) return approvalAction(task.approval)
  const values = () => templates(means, step, task.inputs, at)
  return task.types[0]?.readAction({ text: task.textAt, values })
}

function hasEnvironment(action: TaskAction | ApprovalAction): boolean {
  switch (action.kind) {
    case 'run':
      return true
    case 'pipeline':
    case 'approval':
      return false
  }
}

/** The task of the same step and the same combination. */
function ownInstance(step: StepLayout, name: string, at: number): string {
  const named = step.names.get(name)
  if (named === undefined || named.instance !== null) return name
  return step.instances.get(named.task)?.[at]?.name ?? name
}

/** Of a task with a matrix in another step all instances; within the step the one of the same combination. */
function neededArtifacts({ layout }: TaskMeans, step: StepLayout, task: TaskOutline, at: number): TaskReference[] {
  const found = new Map<string, TaskReference>()
  for (const { value } of task.needsArtifacts) {
    const [from = '', name = ''] = value.split('.')
    const part = layout.resolve({ step: from, task: name, output: '' }, { step: step.step, at })
    if (typeof part === 'string') continue
    for (const each of 'tasks' in part ? part.tasks : [part.task]) {
      found.set(`${from}.${each}`, { step: from, task: each })
    }
  }
  return [...found.values()]
}

function templates(
  { layout }: TaskMeans,
  step: StepLayout,
  values: ReadonlyMap<string, Placed<string>>,
  at: number,
): Record<string, ValueTemplate> {
  const combination = step.combinations?.[at] ?? null
  return Object.fromEntries(
    [...values].map(([name, { value }]) => {
      const { template } = parseTemplate(fillIn(value, combination).text)
      const from = { step: step.step, at }
      return [name, template.map((part) => (typeof part === 'string' ? part : layout.resolve(part, from)))]
    }),
  )
}

function containerOf(container: ContainerOutline, fill: (text: string) => string): GraphContainer | null {
  const { image, user, network, readOnly, limits, pullPolicy, services } = container
  const registryCredentials = registryCredentialsOf(container)
  const said = [image, user, network, pullPolicy].some((one) => one !== undefined) || hasLimits(limits)
  if (!said && !readOnly && registryCredentials.length === 0 && services.length === 0) return null
  return {
    image: image === undefined ? null : fill(image.value),
    user: user ?? null,
    network: networkOf(network?.value),
    readOnly,
    limits,
    registryCredentials,
    pullPolicy: isPullPolicy(pullPolicy?.value) ? pullPolicy.value : null,
    services: services.map((service) => ({
      name: service.name?.value ?? '',
      image: fill(service.image?.value ?? ''),
      env: Object.fromEntries([...service.env].map(([name, { value }]) => [name, fill(value)])),
      command: service.command.map(({ value }) => value),
      limits: service.limits,
    })),
  }
}

function networkOf(network: string | undefined): GraphContainer['network'] {
  return network === 'default' || network === 'none' || network === 'host' ? network : null
}
