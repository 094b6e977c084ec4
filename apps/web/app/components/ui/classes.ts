// Each name is a class of `font.css`, `flow.css` or `surface.css`.

type Above = 'above2' | 'above4' | 'above6' | 'above8' | 'above12' | 'above16' | 'above20' | 'above24'
type Space = Above | 'below8' | 'below24' | 'grow' | 'fixed' | 'wholeLine' | 'list' | 'screenOnly'
type Gap = 'gap4' | 'gap6' | 'gap8' | 'gap12' | 'gap16' | 'gap20' | 'gap24'
type Rows = 'rows0' | 'rows4' | 'rows8' | 'rows12'
type Way = Gap | Rows | Space | 'wrap' | 'start' | 'centre' | 'between' | 'middle'

/** An element whose children are beside each other. */
export const row = (...names: Way[]) => ['row', ...names].join(' ')

/** An element whose children are below each other. */
export const stack = (...names: Way[]) => ['stack', ...names].join(' ')

/** An element whose children are below each other, each as wide as the element. */
export const grid = (...names: Way[]) => ['grid', ...names].join(' ')

/** The place of an element among the others. */
export const place = (...names: Space[]) => names.join(' ')

type Size = 'xs' | 'sm' | 'md' | 'base' | 'lg' | 'xl' | 'title' | 'display'
type Weight = 'regular' | 'medium' | 'semibold' | 'bold'
type Tone = 'strong' | 'quiet' | 'action' | 'red' | 'amber' | 'onInkQuiet'
type Lines = 'line16' | 'line20' | 'line22' | 'tight' | 'snug' | 'huge' | 'close'
type Wrapping = 'anywhere' | 'nowrap' | 'clip' | 'pretty' | 'balance' | 'centred' | 'atRight'

/** The classes of the type, the colour and the wrapping of a text. */
export const font = (...names: (Size | Weight | Tone | Lines | Wrapping | 'mono' | 'numbers' | Space)[]) =>
  names.join(' ')

type Frame = 'surface' | 'panel' | 'inset' | 'tinted' | 'ink'

/** The classes of a frame. */
export const surface = (...names: (Frame | Space)[]) => names.join(' ')

/** A part of a page whose layout depends on its own width. */
export const panelClass = 'surface panel'

/** A message in place: a warning, unless it is another. */
export const notice = (...names: ('failure' | 'success' | Space)[]) => ['notice', ...names].join(' ')

export const textLinkClass = 'textLink'

/** Makes a link or button cover the row or card that it is in. */
export const coverClass = 'cover'

export const iconButtonClass = 'iconButton'
