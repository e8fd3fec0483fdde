import type { ReactNode } from 'react'
import { formatDuration } from './format-duration.ts'
import { useNow } from './instant.tsx'

interface DurationProps {
  readonly from: string | null | undefined
  /** Absent while it goes on. */
  readonly to: string | null | undefined
}

/** How long something took, or has taken until now. */
export function Duration({ from, to }: DurationProps): ReactNode {
  const now = useNow(Boolean(from) && !to)
  if (!from) return <span aria-label="none">–</span>
  const end = to ? new Date(to) : now
  return <span>{formatDuration(end.getTime() - new Date(from).getTime())}</span>
}
