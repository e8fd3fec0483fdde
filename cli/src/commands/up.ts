import { Command } from 'commander'
import { findRepositories } from '../demo/place-repositories.ts'
import { exitCode } from '../exit-codes.ts'
import { buildPrograms } from '../processes/builds.ts'
import { commandLine } from '../processes/command-line.ts'
import { keepServing } from '../processes/keep-serving.ts'
import { type Product, startProduct } from '../processes/product.ts'
import type { Context } from './context.ts'
import { readPort } from './parse-arguments.ts'

interface UpOptions {
  readonly port?: number
  readonly runnerPort?: number
  readonly dataDir?: string
  readonly executors?: string
  readonly page?: boolean
}

/** `up`: control plane and runner. `serve`: the control plane alone. */
export function upCommand(context: Context): Command {
  return startCommand('up', 'start the product on this machine: control plane and one runner')
    .option('--executors <names>', 'what its runner runs: host, container or host,container (root: host)')
    .action((options: UpOptions) => start(context, options, true))
}

export function serveCommand(context: Context): Command {
  return startCommand('serve', 'start the control plane alone; runners connect from elsewhere').action(
    (options: UpOptions) => start(context, options, false),
  )
}

function startCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--port <port>', 'port of the API; 0 takes a free one (default: the option port, 8080)', readPort)
    .option('--runner-port <port>', 'port for runners (default: the option runner_port, 8081)', readPort)
    .option('--data-dir <folder>', 'where everything is kept (default: the option data_dir, .signalbox)')
    .option('--no-page', 'build neither the web page nor the programs, also where their build is missing or old')
}

async function start(context: Context, options: UpOptions, withRunner: boolean): Promise<void> {
  const { surroundings } = context
  const tell = (line: string): void => context.printNote(line, 'warn')
  const failure = await keepServing(surroundings, {
    start: (signal) =>
      startProduct(surroundings, {
        ...options,
        withRunner,
        quiet: false,
        placeRepositories: findRepositories,
        signal,
        tell,
      }),
    serving: async (product, signal) => {
      greet(context, product, withRunner)
      // Beside the work: it is the next start that is quicker.
      if (options.page !== false) void buildPrograms({ tell, signal })
    },
    tell: (line) => context.printNote(line),
  })
  if (failure) throw failure
  context.finish(exitCode('success'))
}

function greet(context: Context, product: Product, withRunner: boolean): void {
  const { paint, surroundings } = context
  const signalbox = commandLine(surroundings.cwd, product.dataDir)
  const access = product.isBootstrapRevoked
    ? 'your own token; the bootstrap token is revoked'
    : product.tokenFile === undefined
      ? 'the configured bootstrap_admin_token; commands take it from SIGNALBOX_TOKEN'
      : `the administrator's token is in ${product.tokenFile}`
  const lines = [
    '',
    paint('strong', `Signalbox is up: ${product.url}`),
    `  API               ${product.url}/docs/api`,
    `  Getting in        ${access}`,
    ...(product.tokenFile === undefined ? [] : ['                    the commands below find it by themselves']),
    `  Data              ${product.dataDir}`,
    ...(withRunner ? [] : ['  Runners           none here; `signalbox runner enrol --help` says how one joins']),
    '',
    'Next, in another terminal:',
    `  ${signalbox} doctor`,
    ...(product.isBootstrapRevoked ? [] : [`  ${signalbox} setup administrator <login>`]),
    `  ${signalbox} team create acme -e test`,
    'docs/first-steps.md goes on from there, to a push that starts a run. `npm run demo`, started instead of this, shows it.',
    '',
    `${paint('strong', 'The web page:')} ${product.pageUrl}`,
    paint('quiet', 'Ctrl-C stops it.'),
    '',
  ]
  for (const line of lines) context.printLine(line)
}
