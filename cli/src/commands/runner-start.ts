import { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { Context } from './context.ts'

/** For tasks that end in order when they are asked to. */
const ORPHAN_GRACE_MS = 3000

/** `runner start`: hands its flags to the runner, which is a program of its own and only loaded here. */
export function startCommand(context: Context): Command {
  return new Command('start')
    .description('run tasks on this machine for a control plane; the word start may be left out')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[flags...]', 'flags of the runner, such as --url 127.0.0.1:8081 --token-file token')
    .action((flags: readonly string[]) => start(context, flags))
}

async function start(context: Context, flags: readonly string[]): Promise<void> {
  const { readOptions, RunnerError, RUNNER_FLAGS, runRunner, StopButton, trustAuthorities } = await import(
    '@signalbox/runner'
  )
  if (flags.includes('--help') || flags.includes('-h')) {
    context.printLine('Usage: signalbox runner start --url host:port [flags]\n')
    for (const [flag, meaning] of Object.entries(RUNNER_FLAGS)) context.printLine(`  --${flag.padEnd(26)}${meaning}`)
    return
  }
  const button = new StopButton()
  const { surroundings } = context
  // A parent that died cannot ask a second time: what runs for it is canceled, not finished.
  const orphaned = (): void => {
    button.press()
    button.press()
    // Without a control plane, the runner would wait in vain to send its reports. The next runner needs the work-dir,
    // and ends the tasks that are left.
    setTimeout(() => process.exit(1), ORPHAN_GRACE_MS).unref()
  }
  process.once('disconnect', orphaned)
  using _interrupts = surroundings.onInterrupt(() => button.press())
  try {
    const options = readOptions(flags, surroundings.env)
    trustAuthorities(options.caFile)
    await runRunner(options, { environment: surroundings.env, stops: button.source })
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error
    throw new CommandFailed(error.code === 'runner.option_invalid' ? 'usage' : 'unexpected', error.message)
  } finally {
    process.off('disconnect', orphaned)
  }
}
