import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from '../../../components/index.ts'

/** False in the first frame of the component: what is dear and not looked at first comes after it. */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), [])
  return isPainted
}
