import type { Space } from './flow.ts'

type Frame = 'surface' | 'panel' | 'inset' | 'tinted' | 'ink'

/** The classes of a frame. Each name is a class of `surface.css`. */
export const surface = (...names: (Frame | Space)[]) => names.join(' ')

/** A part of a page whose layout depends on its own width. */
export const panelClass = 'surface panel'

/** A message in place: a warning, unless it is another. */
export const notice = (...names: ('failure' | 'success' | Space)[]) => ['notice', ...names].join(' ')

export const textLinkClass = 'textLink'

/** Makes a link or button cover the row or card that it is in. */
export const coverClass = 'cover'

export const iconButtonClass = 'iconButton'
