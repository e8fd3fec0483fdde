import type { Plan, PlannableAction } from '@signalbox/contracts/plans'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import { ago, until } from '../output/durations.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { printFindings } from './findings.ts'
import { type ListOptions, listCommand } from './listing.ts'
import { collectPair } from './parse-arguments.ts'
import { readDocument } from './plan-document.ts'

/** `plan`: writes that are described first, and carried out once they are confirmed. */
export function planCommand(context: Context): Command {
  return group('plan', 'writes that are planned, then confirmed; agents write in no other way', [
    listOf(context),
    showOf(context),
    createOf(context),
    confirmOf(context),
    approveOf(context),
    refuseOf(context),
  ])
}

interface PlanListOptions extends ListOptions {
  readonly own?: true
  readonly toApprove?: true
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list your plans, and those of others that wait for your approval',
    operation: planRoutes.listPlans,
    options: [
      new Option('--own', 'your own plans alone').conflicts('toApprove'),
      new Option('--to-approve', 'plans of others alone, which you may approve'),
    ],
    query: ({ own, toApprove }: PlanListOptions) => ({ show: own ? 'own' : toApprove ? 'to_approve' : 'all' }) as const,
    columns: [
      ['id', ({ id }) => id],
      ['action', ({ action }) => action],
      ['target', ({ target }) => target],
      ['status', ({ status }) => status.replaceAll('_', ' ')],
      ['by', ({ planned_by }) => planned_by.name],
      ['planned', ({ created_at }, now) => ago(created_at, now)],
      ['time left', ({ status, expires_at }, now) => (isOpen(status) ? until(expires_at, now) : '')],
    ],
  })
}

function showOf(context: Context): Command {
  return apiCommand('show', 'show what a plan would do, or what came of it')
    .argument('<id>', 'id of the plan')
    .action(async (id: string, options: ApiOptions) => {
      const plan = await context.connect(options).call(planRoutes.getPlan, { params: { id } })
      if (options.json) return context.printJson(plan)
      printPlan(context, plan)
    })
}

interface CreateOptions extends ApiOptions {
  readonly param?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly file?: string
}

function createOf(context: Context): Command {
  return apiCommand('create', 'plan a write: it is judged and described, and nothing changes')
    .argument('<action>', 'the operationId of the route, such as startRun')
    .option(
      '-p, --param <name=value>',
      'a parameter of its path, such as id=acme/web/build; may be repeated',
      collectPair,
    )
    .option('-q, --query <name=value>', 'a parameter of its query; may be repeated', collectPair)
    .option('-f, --file <path>', 'its body, as YAML or JSON; - reads the standard input')
    .action(async (action: PlannableAction, { param: params, query, file, ...options }: CreateOptions) => {
      const body = file === undefined ? {} : { body: await readDocument(context.surroundings, file) }
      const client = context.connect(options)
      const plan = await client.call(planRoutes.createPlan, { body: { action, params, query, ...body } })
      if (options.json) return context.printJson(plan)
      printPlan(context, plan)
      context.printNote(`Carry it out: signalbox plan confirm ${plan.id}`)
    })
}

function confirmOf(context: Context): Command {
  return confirmedCommand('confirm', 'carry out a plan of yours, with the token that made it')
    .argument('<id>', 'id of the plan')
    .action(async (id: string, options: ConfirmOptions) => {
      const client = context.connect(options)
      const { action, target, ...plan } = await client.call(planRoutes.getPlan, { params: { id } })
      if (plan.may_confirm) await ask(context, { action, target, ...plan }, options)
      const done = await client.call(planRoutes.confirmPlan, { params: { id }, body: { action, target } })
      told(context, done, options)
    })
}

function approveOf(context: Context): Command {
  return confirmedCommand('approve', 'approve the plan of somebody else: it is carried out as its planner')
    .argument('<id>', 'id of the plan')
    .action(async (id: string, options: ConfirmOptions) => {
      const client = context.connect(options)
      const plan = await client.call(planRoutes.getPlan, { params: { id } })
      if (plan.may_approve) await ask(context, plan, options)
      told(context, await client.call(planRoutes.approvePlan, { params: { id } }), options)
    })
}

function refuseOf(context: Context): Command {
  return apiCommand('refuse', 'refuse the plan of somebody else, or withdraw one of yours')
    .argument('<id>', 'id of the plan')
    .option('-m, --reason <text>', 'the reason, which its planner reads')
    .action(async (id: string, { reason, ...options }: ApiOptions & { readonly reason?: string }) => {
      const plan = await context.connect(options).call(planRoutes.refusePlan, { params: { id }, body: { reason } })
      told(context, plan, options)
    })
}

async function ask(context: Context, plan: Plan, options: ConfirmOptions): Promise<void> {
  if (options.yes) return
  if (!options.json) printPlan(context, plan)
  await confirm(context, `Carry out ${plan.action} of ${plan.target}`, options)
}

function told(context: Context, plan: Plan, options: ApiOptions): void {
  if (options.json) return context.printJson(plan)
  context.printNote(outcomeOf(plan))
}

function outcomeOf({ id, status, action, target, outcome, confirmation_reason }: Plan): string {
  if (status === 'refused') return `The plan ${id} is refused: nothing was done.`
  if (status === 'waiting_for_person') {
    return `${confirmation_reason ?? 'Another person has to approve.'} They say: signalbox plan approve ${id}`
  }
  if (status !== 'confirmed') throw new CommandFailed('conflict', `The plan ${id} is ${status}.`)
  const made = (outcome?.resources ?? []).map(({ kind, id: of, name }) => `${kind} ${of ?? name ?? ''}`)
  return made.length === 0 ? `Done: ${action} of ${target}.` : `Done: ${action} of ${target} (${made.join(', ')}).`
}

function printPlan(context: Context, plan: Plan): void {
  context.printFields([
    ['plan', plan.id],
    ['action', plan.action],
    ['target', plan.target],
    ['status', plan.status.replaceAll('_', ' ')],
    ['planned by', plan.planned_by.name],
    ['confirmed by', plan.confirmation === 'person' ? 'another person' : 'its planner'],
    ...(plan.decided_by === null ? [] : [['decided by', plan.decided_by.name] as const]),
    ...(plan.refusal === null ? [] : [['refusal', plan.refusal] as const]),
  ])
  context.printLine('')
  printFindings(context, plan.effects)
  if (plan.status === 'confirmed') context.printNote(outcomeOf(plan))
}

function isOpen(status: Plan['status']): boolean {
  return status === 'waiting' || status === 'waiting_for_person'
}
