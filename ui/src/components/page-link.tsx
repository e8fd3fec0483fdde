import { Anchor, Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link to another page, in the text. */
export const PageLink = createLink(Anchor<'a'>)

/** A link to another page that looks like a button. */
export const PageButton = createLink(Button<'a'>)
