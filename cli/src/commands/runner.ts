import type { RunnerNeed } from '@signalbox/contracts/dispatch'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import type { Runner } from '@signalbox/contracts/runners'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import type { Cell } from '../output/table.ts'
import { handDown } from './api-options.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { enrolCommand } from './enrolment.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { collectList } from './parse-arguments.ts'
import { changeOf, deleteOf, lookUpBy, showOf } from './resource.ts'
import { leasesCommand } from './runner-leases.ts'
import { startCommand } from './runner-start.ts'

const runners = {
  noun: 'runner',
  named: 'name or id',
  lookUp: lookUpBy(runnerRoutes.listRunners, ({ name }) => name),
  get: runnerRoutes.getRunner,
  change: runnerRoutes.updateRunner,
  delete: runnerRoutes.deleteRunner,
}

/**
 * `signalbox runner --url host:port` starts a runner, as before `runner` had commands. So `runner` itself takes no options
 * of the API.
 */
export function runnerCommand(context: Context): Command {
  const parent = new Command('runner').description('runners: programs that run tasks; `runner --url ...` is one itself')
  parent.addCommand(startCommand(context), { isDefault: true })
  for (const command of commandsOf(context)) parent.addCommand(command)
  return handDown(parent)
}

function commandsOf(context: Context): Command[] {
  return [
    enrolCommand(context),
    listCommand(context, {
      description: 'list the runners that you may see',
      operation: runnerRoutes.listRunners,
      options: [teamOption('of this team and below it')],
      query: queryOfTeam,
      columns: [
        ['runner', ({ name }) => name],
        ['team', ({ team_path }) => team_path],
        ['state', stateOf],
        ['seen', ({ last_seen_at }, now) => ago(last_seen_at, now) || 'never'],
        ['capacity', ({ capacity }) => String(capacity)],
        ['executors', ({ executors }) => executors.join(',')],
        ['labels', (each) => labelsOf(each).join(',')],
        ['scopes', ({ scopes }) => scopes.join(',')],
      ],
    }),
    showOf(context, runners, 'show a runner', (found, now) => [
      ['runner', found.name],
      ['id', found.id],
      ['team', found.team_path],
      ['state', stateOf(found)],
      ['connected', ago(found.connected_at, now)],
      ['seen', ago(found.last_seen_at, now) || 'never'],
      ['version', found.version],
      ['capacity', String(found.capacity)],
      ['executors', found.executors.join(', ')],
      ['scopes', found.scopes.join(', ')],
      ['labels', found.labels.join(', ')],
      ['offers', found.offered_labels.join(', ')],
      ['enrolled', ago(found.created_at, now)],
    ]),
    leasesCommand(context, runners),
    loadCommand(context),
    whoCommand(context),
    changeOf(context, runners, {
      name: 'update',
      description: 'change the given fields of a runner',
      options: [
        new Option('--name <name>', 'new name'),
        new Option('--scope <patterns>', 'the complete list of scopes that it serves, such as acme/**').argParser(
          collectList,
        ),
        new Option('--label <labels>', 'the complete list of its labels; "" removes all').argParser(collectList),
      ],
      body: ({ name, scope, label }: UpdateOptions) => ({ name, scopes: scope, labels: label }),
      done: ({ name }) => `The runner ${name} is changed.`,
    }),
    changeOf(context, runners, {
      name: 'drain',
      description: 'let a runner finish its tasks and take no new ones; then its program ends',
      body: () => ({ draining: true }),
      done: ({ name }) => `The runner ${name} drains: its program ends after its last task.`,
    }),
    changeOf(context, runners, {
      name: 'resume',
      description: 'end draining: the runner gets tasks again when its program runs',
      body: () => ({ draining: false }),
      done: ({ name }) => `The runner ${name} gets tasks again when its program runs.`,
    }),
    changeOf(context, runners, {
      name: 'disable',
      description: 'disable a runner: it gets no new tasks; its present tasks continue',
      body: () => ({ enabled: false }),
      done: ({ name }) => `The runner ${name} is disabled.`,
    }),
    changeOf(context, runners, {
      name: 'enable',
      description: 'enable a runner: it gets tasks again',
      body: () => ({ enabled: true }),
      done: ({ name }) => `The runner ${name} is enabled.`,
    }),
    deleteOf(
      context,
      runners,
      'delete a runner: its credential ends and its tasks are lost; drain it first',
      'The credential of the runner ends at once, and its present tasks are lost.',
    ),
  ]
}

interface UpdateOptions extends ApiOptions {
  readonly name?: string
  readonly scope?: readonly string[]
  readonly label?: readonly string[]
}

function stateOf({ connected, enabled, draining, leaving }: Runner): Cell {
  if (!enabled) return { text: 'disabled', tone: 'warn' }
  if (!connected) return draining ? { text: 'drained', tone: 'warn' } : { text: 'away', tone: 'bad' }
  if (draining || leaving) return { text: 'draining', tone: 'warn' }
  return { text: 'connected', tone: 'good' }
}

function labelsOf({ labels, offered_labels: offered }: Runner): readonly string[] {
  return [...new Set([...labels, ...offered])]
}

function loadCommand(context: Context): Command {
  return apiCommand('load', 'show what runners are working on, and how much waits').action(
    async (options: ApiOptions) => {
      const answer = await context.connect(options).call(dispatchRoutes.getDispatcher)
      if (options.json) return context.printJson(answer)
      const { runners: known, queued, running, waiting } = answer
      context.printTable(
        ['runner', 'state', 'in use', 'capacity'],
        known.map((each) => [each.name, each.state, String(each.in_use), String(each.capacity)]),
      )
      context.printLine('')
      return context.printFields([
        ['runs that wait', String(queued)],
        ['runs in hand', String(running)],
        ['tasks that wait', String(waiting)],
      ])
    },
  )
}

interface WhoOptions extends ApiOptions {
  readonly profile?: string
  readonly executor?: RunnerNeed['executor']
  readonly label?: readonly string[]
}

/** `runner who`: the verdict of each runner, in the words of the queue. */
function whoCommand(context: Context): Command {
  return apiCommand('who', 'show which runner could take a task of a scope, and why the others could not')
    .argument('<scope>', 'such as acme/web/production')
    .option('--profile <name>', 'what a runner must have, such as node24')
    .addOption(new Option('--executor <executor>', 'where the task runs').choices(['host', 'container']))
    .addOption(new Option('--label <labels>', 'labels that a runner must have').argParser(collectList))
    .action(async (scope: string, { profile, executor, label, ...options }: WhoOptions) => {
      const body = { scope, profile, executor, labels: label === undefined ? undefined : [...label] }
      const found = await context.connect(options).call(dispatchRoutes.judgeRunners, { body })
      if (options.json) return context.printJson(found)
      if (found.reason !== null) context.printLine(escapeText(found.reason))
      return context.printTable(
        ['runner', 'verdict'],
        found.runners.map((each) => [each.runner, each.verdict]),
      )
    })
}
