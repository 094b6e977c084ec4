import { createTheme, type MantineColorsTuple } from '@mantine/core'

const action: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6ff',
  '#bccaff',
  '#94a9fb',
  '#6c87f5',
  '#4a6af0',
  '#2f54eb',
  '#2343c4',
  '#1b359d',
  '#142878',
]

const danger: MantineColorsTuple = [
  '#fef3f2',
  '#fee4e2',
  '#fecdca',
  '#fda29b',
  '#f97066',
  '#d92d20',
  '#b42318',
  '#912018',
  '#7a271a',
  '#55160c',
]

/** Mantine's dialogs have a `header` element, which screen readers would announce as a second banner. */
const noBanner = { header: { role: 'presentation' } }

export const theme = createTheme({
  colors: { action, danger },
  primaryColor: 'action',
  primaryShade: 6,
  black: '#101828',
  fontFamily: 'var(--face)',
  fontFamilyMonospace: 'var(--face-mono)',
  headings: { fontFamily: 'var(--face)', fontWeight: 'var(--weight-bold)' },
  fontSizes: {
    xs: 'var(--font-xs)',
    sm: 'var(--font-sm)',
    md: 'var(--font-base)',
    lg: 'var(--font-lg)',
    xl: 'var(--font-xl)',
  },
  defaultRadius: '10px',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Small is below 640 px, large from 1024 px.
  breakpoints: { xs: '30em', sm: '40em', md: '48em', lg: '64em', xl: '80em' },
  components: {
    Button: { defaultProps: { size: 'md', fz: 'var(--font-md)', fw: 'var(--weight-medium)' } },
    Group: { defaultProps: { gap: 8 } },
    InputWrapper: { defaultProps: { labelProps: { fz: 'var(--font-md)', fw: 'var(--weight-medium)' } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', checkIconPosition: 'right' } },
    NumberInput: { defaultProps: { size: 'md' } },
    Modal: {
      defaultProps: {
        radius: 14,
        centered: true,
        padding: 24,
        overlayProps: { backgroundOpacity: 0.5, color: '#0b1324' },
        transitionProps: { duration: 200, transition: 'pop' },
        attributes: noBanner,
      },
    },
    Drawer: { defaultProps: { attributes: noBanner } },
    Tooltip: { defaultProps: { openDelay: 300, fz: 'xs' } },
  },
})
