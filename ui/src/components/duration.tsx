import type { ReactNode } from 'react'
import { formatDuration } from './format-duration.ts'
import { useTextNow } from './now.ts'

interface DurationProps {
  readonly from: string | null | undefined
  /** Absent while it goes on. */
  readonly to: string | null | undefined
}

/** How long something took, or has taken until now. */
export function Duration({ from, to }: DurationProps): ReactNode {
  const text = useTextNow(
    (now) => (from ? formatDuration((to ? new Date(to) : now).getTime() - new Date(from).getTime()) : ''),
    Boolean(from) && !to,
  )
  return text === '' ? <span aria-label="none">–</span> : <span>{text}</span>
}
