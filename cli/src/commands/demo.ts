import { Command } from 'commander'
import { tellDemo } from '../demo/demo.ts'
import { tellForgeDemo } from '../demo/forge/forge-demo.ts'
import { startForgeProduct } from '../demo/forge/forge-product.ts'
import { placeRepositories } from '../demo/place-repositories.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { createProgress } from '../output/progress.ts'
import { keepServing } from '../processes/keep-serving.ts'
import { type Product, type ProductOptions, startProduct } from '../processes/product.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Context } from './context.ts'
import { readPort } from './parse-arguments.ts'

interface DemoOptions {
  readonly forge?: boolean
  readonly once?: boolean
  readonly port?: number
  readonly runnerPort?: number
  readonly dataDir?: string
  readonly page?: boolean
}

/** `demo`: starts the product and shows its main job, from a push to a finished run. */
export function demoCommand(context: Context): Command {
  return new Command('demo')
    .description('start the product and show it: a push to a repository becomes a finished run')
    .option('--forge', 'show a Git app at a fake GitHub: register, install, push, check, comment, /rerun failed')
    .option('--once', 'end after the run, with its result')
    .option('--port <port>', 'port of the API; 0 takes a free one (default: 8080)', readPort)
    .option('--runner-port <port>', 'port for runners (default: 8081)', readPort)
    .option('--data-dir <folder>', 'where everything is kept (default: .signalbox, with --forge .signalbox-forge)')
    .option('--no-page', 'do not build the web page, also where its build is missing or old')
    .action((options: DemoOptions) =>
      options.forge
        ? show(context, options, { start: startForgeProduct, tell: tellForgeDemo })
        : show(context, options, {
            start: (surroundings, given) => startProduct(surroundings, { ...given, placeRepositories }),
            tell: tellDemo,
          }),
    )
}

interface Show<Started extends Product> {
  start(surroundings: Surroundings, options: ProductOptions): Promise<Started>
  /** Answers how the last run ended. */
  tell(context: Context, product: Started, once: boolean): Promise<string>
}

async function show<Started extends Product>(
  context: Context,
  options: DemoOptions,
  { start, tell }: Show<Started>,
): Promise<void> {
  const { surroundings, paint } = context
  const failure = await keepServing(surroundings, {
    async start(signal) {
      using progress = createProgress(surroundings.err)
      progress.show('starting the database, the control plane and a runner')
      return start(surroundings, {
        ...options,
        withRunner: true,
        quiet: true,
        signal,
        tell: (line) => context.printNote(line, 'warn'),
      })
    },
    async serving(product: Started) {
      context.printLine(paint('strong', `Signalbox is up: ${product.url}`))
      const status = await tell(context, product, options.once === true)
      context.finish(exitCodeOfRun(status))
      if (options.once) return false
      context.printLine(`\n${paint('quiet', 'Serving until Ctrl-C.')}`)
      return true
    },
    tell: (line) => context.printNote(line),
  })
  if (failure) throw failure
}
