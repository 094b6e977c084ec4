/** The English texts of the parts that several groups of pages share: the bar, sign-out, toasts and the fields of passwords. */
export const common = {
  language: 'Language',
  loading: 'Loading',
  brandHome: 'Muripo home',
  mainNavigation: 'Main',
  home: 'Home',
  documentation: 'API Documentation',
  pricing: 'Pricing and Charges',
  dashboard: 'Dashboard',
  getStarted: 'Get Started',
  signIn: 'Sign In',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  scrollToTop: 'Scroll to top',
  dismiss: 'Dismiss message',

  signOut: 'Sign Out',
  signOutQuestion: 'Are you sure you want to sign out?',
  cancel: 'Cancel',
  signingOut: 'Signing out...',
  signedOut: 'Successfully signed out',
  signedOutInactive: 'You have been Signed out due to inactivity',
  signedOutEverywhere: 'You are signed out everywhere',
  sessionExpires: 'Your session will expire soon. Please save your work.',

  offline: 'You are offline. This page opens once the network is back.',
  checkConnection: 'Network error. Please check your connection and try again.',
  networkError: 'Network error. Please try again.',

  newPassword: 'New password',
  passwordHint: 'At least {length} characters',
  showNewPassword: 'Show or hide new password',
} as const satisfies Readonly<Record<string, string>>
