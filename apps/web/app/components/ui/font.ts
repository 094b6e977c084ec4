import type { Space } from './flow.ts'

type Size = 'xs' | 'sm' | 'md' | 'base' | 'lg' | 'xl' | 'title' | 'display'
type Weight = 'regular' | 'medium' | 'semibold' | 'bold'
type Tone = 'strong' | 'quiet' | 'action' | 'red' | 'amber' | 'onInkQuiet'
type Lines = 'line16' | 'line20' | 'line22' | 'tight' | 'snug' | 'huge' | 'close'
type Wrapping = 'anywhere' | 'nowrap' | 'clip' | 'pretty' | 'balance' | 'centred' | 'atRight'

/** The classes of the type, the colour and the wrapping of a text. Each name is a class of `font.css` or a space of `flow.css`. */
export const font = (...names: (Size | Weight | Tone | Lines | Wrapping | 'mono' | 'numbers' | Space)[]) =>
  names.join(' ')
