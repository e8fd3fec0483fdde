import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { Permission } from '@signalbox/contracts/access'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentPropsWithoutRef, type ReactNode, useState } from 'react'
import { useConnection } from '../client/connection.ts'
import { useMayDo, useMe } from '../client/session.ts'

interface ReadyButtonProps
  extends ButtonProps,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'disabled'> {
  /** Why it cannot be done now. */
  readonly obstacle?: string | undefined
}

interface AllowedButtonProps extends ReadyButtonProps {
  readonly permission: Permission
  /** Path of the team that it is asked at; `/` for the platform; undefined where the form asks for the team. */
  readonly at: string | undefined
}

/**
 * A button that stays visible without the right to press it, and names the permission that it needs. While the control plane
 * is away it cannot be pressed.
 */
export function AllowedButton({ permission, at, obstacle, ...button }: AllowedButtonProps): ReactNode {
  const isAllowed = useMayDo()(permission, at)
  if (isAllowed) return <ReadyButton {...button} obstacle={obstacle} />
  return <LackingButton {...button} permission={permission} at={at} />
}

/** Who can give the permission is asked for when somebody comes to the button: a page has many. */
function LackingButton({ permission, at, ...button }: AllowedButtonProps): ReactNode {
  const client = useQueryClient()
  const me = useMe()
  const maySee = useMayDo()('grant.read', at)
  const [givers, setGivers] = useState<string>()
  const ask = (): void => {
    if (!maySee || !me || at === undefined) return
    // Where it cannot be had, the role is named.
    void import('./find-givers.ts')
      .then(({ findGivers }) => findGivers(client, me, permission, at))
      .then(setGivers, () => undefined)
  }
  return <ReadyButton {...button} obstacle={lackOf(permission, at, givers)} onMouseEnter={ask} onFocus={ask} />
}

/** Why nothing can be written now: the control plane is away. */
export function useAbsence(): string | undefined {
  const { away } = useConnection()
  return away === undefined ? undefined : 'The control plane is away: this waits until it is back.'
}

/** A button for what anybody may do to what is their own. While the control plane is away it cannot be pressed. */
export function ReadyButton({ obstacle, ...button }: ReadyButtonProps): ReactNode {
  const absence = useAbsence()
  const reason = obstacle ?? absence
  if (reason === undefined) return <Button {...button} />
  return (
    <Tooltip label={reason} multiline maw="20rem">
      {/* Stays in the order of Tab, so that the reason can be heard. */}
      <Button
        {...button}
        data-disabled
        aria-disabled
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}

/** What is missing, and who can give it. */
export function lackOf(permission: Permission, at: string | undefined, givers?: string): string {
  const where = at === undefined ? 'in a team' : at === '/' ? 'on the platform' : `in ${at}`
  const giver = at === undefined ? 'An owner of the team' : at === '/' ? 'An administrator' : `An owner of ${at}`
  return `You need the permission ${permission} ${where}. ${givers ?? giver} can give it.`
}
