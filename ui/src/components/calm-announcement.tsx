import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CalmVoice } from './calm-voice.ts'

/** Says to readers what changes by itself: the newest text, when some time has passed, and never one after the other. */
export function CalmAnnouncement({ children }: { readonly children: string }): ReactNode {
  const [said, setSaid] = useState('')
  const [voice] = useState(() => new CalmVoice())
  const newest = useRef(children)
  useEffect(() => {
    newest.current = children
    const waitMs = voice.waitFor(children, said, performance.now())
    if (waitMs === undefined) return undefined
    const timer = setTimeout(() => {
      voice.speak(performance.now())
      setSaid(newest.current)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [children, said, voice])
  return (
    <VisuallyHidden component="div" aria-live="polite">
      {said}
    </VisuallyHidden>
  )
}
