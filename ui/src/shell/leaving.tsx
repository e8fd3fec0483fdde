import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countKeptWork } from '../client/kept-work.ts'
import { useMe } from '../client/session.ts'
import { signOut, signOutEverywhere } from '../client/sign-out.ts'
import { FormDialog } from '../components/index.ts'

/** What stands between a person and the way out. */
interface Asked {
  /** How many pipelines this browser keeps unsaved work on. */
  readonly unsaved: number
  readonly isEverywhere: boolean
}

/** The way out: asks where work is unsaved, and says where one is still signed in. */
export function useLeaving(): {
  readonly leave: (isEverywhere: boolean) => void
  readonly dialog: ReactNode
} {
  const me = useMe()
  const [asked, setAsked] = useState<Asked>()
  const leaving = useMutation({
    mutationFn: (isEverywhere: boolean) => (isEverywhere ? signOutEverywhere() : signOut()),
    // The menu is closed by then: a dialog says that one is still signed in.
    onError: (_, isEverywhere) => setAsked((before) => before ?? { unsaved: 0, isEverywhere }),
  })
  const unsaved = asked?.unsaved ?? 0
  function leave(isEverywhere: boolean): void {
    const kept = me === undefined ? 0 : countKeptWork(me.id)
    if (kept > 0) setAsked({ unsaved: kept, isEverywhere })
    else leaving.mutate(isEverywhere)
  }
  const dialog = (
    <FormDialog
      title={unsaved > 0 ? 'Sign out and lose unsaved work?' : 'You are still signed in'}
      isOpen={asked !== undefined}
      onClose={() => {
        setAsked(undefined)
        leaving.reset()
      }}
      onSubmit={() => leaving.mutate(asked?.isEverywhere === true)}
      action={asked?.isEverywhere ? 'Sign out everywhere' : 'Sign out'}
      isSending={leaving.isPending}
      error={leaving.error}
      isDangerous={unsaved > 0}
    >
      {unsaved > 0 && (
        <Text>
          This browser keeps unsaved work of yours on {unsaved === 1 ? 'a pipeline' : `${unsaved} pipelines`}. It is
          deleted when you sign out, so that nobody else finds it.
        </Text>
      )}
    </FormDialog>
  )
  return { leave, dialog }
}
