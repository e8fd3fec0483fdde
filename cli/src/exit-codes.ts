/** How every command ends; `signalbox help exit-codes` and docs/cli.md print this table. */
export const EXIT_CODES = {
  success: { code: 0, meaning: 'The command did its work; a run that was waited for ended in success or warning.' },
  unexpected: { code: 1, meaning: 'An error that nobody expected.' },
  usage: {
    code: 2,
    meaning:
      'The command line, a document or the request is wrong; `serve` and `up`: the operator has to act. The message says where.',
  },
  refused: { code: 3, meaning: 'Not signed in, or not permitted.' },
  notFound: { code: 4, meaning: 'The named resource does not exist, or may not be seen.' },
  unavailable: { code: 5, meaning: 'The control plane cannot be reached or cannot answer now; trying again helps.' },
  conflict: { code: 6, meaning: 'The resource exists already, or has changed since it was read.' },
  unhealthy: {
    code: 7,
    meaning:
      '`signalbox doctor`, `source connect`, `git-app doctor` or `git-app verify` found something that needs a remedy.',
  },
  runFailure: {
    code: 10,
    meaning:
      'The run that was waited for ended in failure; `knowledge test` found a violation, or `knowledge try` runs that would have gone otherwise.',
  },
  runTimedOut: { code: 11, meaning: 'The run that was waited for ended in timed_out.' },
  runCanceled: { code: 12, meaning: 'The run that was waited for ended in canceled.' },
  runWarning: { code: 13, meaning: 'The run ended in warning, and --fail-on-warning was given.' },
  interrupted: { code: 130, meaning: 'Ended by Ctrl-C.' },
} as const

export type ExitName = keyof typeof EXIT_CODES

export function exitCode(name: ExitName): number {
  return EXIT_CODES[name].code
}

/** The code for a finished run's status; `unexpected` for any other status. */
export function exitCodeOfRun(status: string, failOnWarning = false): number {
  switch (status) {
    case 'success':
      return exitCode('success')
    case 'warning':
      return exitCode(failOnWarning ? 'runWarning' : 'success')
    case 'failure':
      return exitCode('runFailure')
    case 'timed_out':
      return exitCode('runTimedOut')
    case 'canceled':
      return exitCode('runCanceled')
    default:
      return exitCode('unexpected')
  }
}

/** The code for an answer of the API that was no success. */
export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCode('refused')
  if (status === 404) return exitCode('notFound')
  if (status === 409 || status === 412) return exitCode('conflict')
  if (status === 429 || status === 502 || status === 503 || status === 504) return exitCode('unavailable')
  return status >= 400 && status < 500 ? exitCode('usage') : exitCode('unexpected')
}
