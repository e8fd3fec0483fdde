import { useLocation, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { type LineRange, readRange } from './log-entry.ts'
import { hrefOf } from './log-row.tsx'

/** The lines of the address; a click chooses one, a click with Shift a range. */
export function useChosenLines(): readonly [LineRange | undefined, (event: MouseEvent, range: LineRange) => void] {
  const { search } = useLocation()
  const router = useRouter()
  const chosen = readRange('line' in search ? search.line : undefined)
  const choose = (event: MouseEvent, range: LineRange): void => {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    const isRange = event.shiftKey && chosen?.section === range.section
    const first = isRange ? Math.min(chosen.first, range.first) : range.first
    const last = isRange ? Math.max(chosen.last, range.last) : range.last
    router.history.replace(hrefOf({ ...range, first, last }).replace(/^#/, ''))
  }
  return [chosen, choose]
}
