import { defaultParseSearch, useLocation, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useMemo } from 'react'
import { type LogAddress, linesAt, readLogAddress, writeLogAddress } from './log-address.ts'
import type { LineRange } from './log-entry.ts'

export interface LogAddressState {
  readonly address: LogAddress
  readonly hrefOf: (range: LineRange) => string
  /** A click chooses a line, a click with Shift a range. */
  readonly choose: (event: MouseEvent, range: LineRange) => void
  readonly keepSearch: (text: string, isExpression: boolean) => void
}

/** What the log keeps in the address. */
export function useLogAddress(): LogAddressState {
  const { href } = useLocation()
  const { history } = useRouter()
  return useMemo(() => {
    const address = readLogAddress(defaultParseSearch(href.split('?')[1] ?? ''))
    const { chosen } = address
    const change = (part: Partial<LogAddress>): void => history.replace(writeLogAddress(href, { ...address, ...part }))
    return {
      address,
      hrefOf: linesAt(href),
      choose: (event, range) => {
        if (event.metaKey || event.ctrlKey) return
        event.preventDefault()
        const isRange = event.shiftKey && chosen?.section === range.section
        const first = isRange ? Math.min(chosen.first, range.first) : range.first
        const last = isRange ? Math.max(chosen.last, range.last) : range.last
        change({ chosen: { ...range, first, last } })
      },
      keepSearch: (text, isExpression) => change({ text, isExpression }),
    }
  }, [href, history])
}
