/** The English texts of the emails with a code: of a sign-in, of a forgotten password, and of an unconfirmed account. */
export const codes = {
  keepSecret: 'Muripo never asks for this code by phone, by chat or by mail. Do not give it to anyone.',
  newDevice: 'It was asked for from a device that has not signed in to your account before.',

  signIn: 'Your Muripo sign-in code',
  signInUse:
    'Enter it on the sign-in page to finish signing in to your Muripo account. It is good for 10 minutes and works once.',
  signInUnexpected: 'If you did not try to sign in, somebody knows your password: please change it.',
  signInConfirms:
    'This code confirms the account. If you did not open it, do nothing: it is removed 48 hours after it was opened.',

  reset: 'Your Muripo password reset code',
  resetUse:
    'Enter it on the page where you asked for it to set a new password. It is good for 10 minutes and works once.',
  resetUnexpected: 'If you did not ask for it, you need do nothing: your password stays as it is.',
  resetLink:
    'If the page does not take the code, set the new password with this link. The link is good for 60 minutes and works once. The use of the code or of the link ends both.',
  setPassword: 'Set a new password',

  unconfirmed: 'Your Muripo account is not confirmed',
  unconfirmedSignIn:
    'An account was opened with this address, and nobody has signed in to it yet. If you opened it, sign in with the password that you chose: the code that we then mail you confirms the account.',
  unconfirmedRemove:
    'If you forgot that password, or if another person opened the account, enter the code above on the page where you asked for it. The account and its document are removed, and you can sign up again. The code is good for 10 minutes and works once.',
  unconfirmedLink:
    'You can also remove the account with this link. The link is good for 60 minutes and works once. The use of the code or of the link ends both.',
  unconfirmedExpires: 'If you do nothing, the account is removed 48 hours after it was opened.',
  removeAccount: 'Remove the account',
} as const satisfies Readonly<Record<string, string>>
