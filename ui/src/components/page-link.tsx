import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'

/** A link to another page, in the text. */
export const PageLink = createLink(Anchor<'a'>)

function ButtonAnchor(props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>): ReactNode {
  return <Button component="a" {...props} />
}

/** A link to another page that looks like a button. */
export const PageButton = createLink(ButtonAnchor)
