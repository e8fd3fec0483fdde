/** Words of compilers, test runners, package managers, shells and kernels for what went wrong; in any case. */
const WORDS = [
  'errors?',
  'err!',
  'fatal',
  'fail(?:ed|ing|ures?)?',
  'exceptions?',
  'panic(?:ked)?',
  'traceback',
  'abort(?:ed|ing)?',
  'segfault',
  'segmentation fault',
  'core dumped',
  'stack overflow',
  'undefined (?:reference|symbol|variable|method|function)',
  'unresolved (?:external|import|reference|symbol)',
  'undeclared',
  'cannot',
  "can't",
  'could not',
  "couldn't",
  'unable to',
  'not found',
  'no such (?:file|module|host|container|image|key|option)',
  'no space left',
  'not defined',
  'does not exist',
  "doesn't exist",
  '(?:permission|access) denied',
  'unauthori[sz]ed',
  'forbidden',
  '(?:connection|request) (?:refused|reset|timed out)',
  'timed out',
  'out of memory',
  'oom(?:killed)?',
  'killed',
  'assert(?:ion)?(?:error)?',
  'not ok',
  'syntax error',
  'unexpected',
  'mismatch',
  'incompatible',
  'conflict',
  'violation',
  'non-?zero',
  'exit(?:ed)?(?: with)? (?:code|status):? [1-9]\\d*',
]

const ERROR = new RegExp(`(?:^|[^\\w-])(?:${WORDS.join('|')})(?:$|[^\\w.-]|\\.(?:$| ))`, 'i')
// Names of exceptions, and the marks by which test runners and CI systems begin a failure.
const NAMED = /\b[A-Z]\w*(?:Error|Exception|Failure)\b|\berror(?:\[|\()|\*\*\* \[/
const MARKED = /^\s*(?:[✗✘✖❌]|FAIL\b|--- FAIL|E {2,}|\[ERROR\]|##\[error\]|::error)/

/** Counts of nothing, and names that only sound like errors. */
const HARMLESS =
  /\b(?:0|no|zero|without|ignor\w+) (?:\w+ )?(?:errors?|failures?|failed|failing|exceptions?|conflicts?)\b|\b(?:errors?|failures?|failed|failing)["']?\s*[:=]\s*0\b|(?:on|if|when|exit|fail|continue)[-_](?:error|fail|failure)\b|\bexpected failures?\b/gi

/** A line that is longer is data; what is wrong is said at its beginning. */
const MOST_CHARACTERS = 4000

/** Whether a plain line looks like an error. Each expression reads a line once: none repeats within a repetition. */
export function looksLikeError(line: string): boolean {
  if (MARKED.test(line)) return true
  const rest = line.slice(0, MOST_CHARACTERS).replace(HARMLESS, ' ')
  return ERROR.test(rest) || NAMED.test(rest)
}
