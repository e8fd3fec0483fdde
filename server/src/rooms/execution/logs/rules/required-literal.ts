const SHORTEST = 3
const PLAIN = /^[A-Za-z0-9 _\-:/,;=<>@#%&'"~`!]$/

/**
 * A text that every match of this expression must hold, or undefined where none is sure: the longest run of plain
 * characters outside of groups. Knows little on purpose; what it does not know ends the run.
 */
export function requiredLiteral(expression: string): string | undefined {
  // An alternative may do without what another one holds, and flags may change what a character means.
  if (/[|]|\(\?|\\Q/.test(expression)) return undefined
  const runs: string[] = []
  let run = ''
  let depth = 0
  const end = (): void => {
    runs.push(run)
    run = ''
  }
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at] ?? ''
    if (character === '\\') {
      const next = expression[++at] ?? ''
      if (/[A-Za-z0-9]/.test(next)) {
        end()
        // After any other letter comes a name or a code, which is not for us to read.
        if (!/[dDsSwWbB]/.test(next)) return longest(runs)
      } else if (depth === 0) run += next
    } else if (character === '[') {
      end()
      const close = expression.indexOf(']', at + (expression[at + 1] === '^' ? 3 : 2))
      if (close < 0 || expression.slice(at, close).includes('[:') || expression.slice(at, close).includes('\\')) {
        return longest(runs)
      }
      at = close
    } else if (character === '(') {
      end()
      depth += 1
    } else if (character === ')') {
      end()
      depth -= 1
    } else if (character === '?' || character === '*' || character === '{') {
      // The character before may be missing.
      run = run.slice(0, -1)
      end()
      if (character === '{') at = Math.max(at, expression.indexOf('}', at))
    } else if (depth === 0 && PLAIN.test(character)) run += character
    else end()
  }
  end()
  return longest(runs)
}

function longest(runs: readonly string[]): string | undefined {
  const best = runs.reduce((most, run) => (run.length > most.length ? run : most), '')
  return best.length >= SHORTEST ? best : undefined
}
