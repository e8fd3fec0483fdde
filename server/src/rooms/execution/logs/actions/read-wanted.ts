import { RE2JS, RE2JSException } from '@bufbuild/re2'
import type { LogQuery } from '@signalbox/contracts/logs'
import { logProblem } from '../errors.ts'
import { type Wanted, wantMatch, wantText } from '../rules/find-lines.ts'
import { requiredLiteral } from '../rules/required-literal.ts'

type Choice = Pick<LogQuery, 'search' | 'regex' | 'case_sensitive'>

/**
 * The lines that a query wants; undefined: all. Throws log.expression_invalid (400). `isHidden`: values are hidden before
 * the search, so that the trigrams of the stored rows tell nothing.
 */
export function readWanted(query: Choice, isHidden = false): Wanted | undefined {
  const wanted = read(query)
  return wanted && isHidden ? { ...wanted, bits: [] } : wanted
}

function read({ search, regex, case_sensitive: caseSensitive = false }: Choice): Wanted | undefined {
  if (regex === undefined) return search === undefined ? undefined : wantText(search, caseSensitive)
  if (search !== undefined) throw logProblem('log.expression_invalid', 'Give search or regex, not both.')
  try {
    return wantMatch(new RE2JS(regex), requiredLiteral(regex))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw logProblem('log.expression_invalid', `The expression is none of RE2: ${error.message}.`, {
      errors: [{ field: 'regex', message: error.message }],
    })
  }
}
