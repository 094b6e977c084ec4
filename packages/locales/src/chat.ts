/** The English texts of the support chat, which every page has. */
export const chat = {
  chatOpen: 'Open support chat',
  chatContinue: 'Continue the support chat',
  chatName: 'Support chat',
  chatSupport: 'Support',
  chatAutomatic: 'Automatic answers, day and night',
  chatMinimise: 'Minimise chat',
  chatClose: 'Close chat',
  chatMessages: 'Messages',
  chatYou: 'You',
  chatYourMessage: 'Your message',
  chatWrite: 'Write a message',
  chatSend: 'Send message',
  chatPerson: 'Need a person? {link}',
  chatPersonLink: 'Write to us',
  chatGreeting: 'Hello! Welcome to Muripo. What can we help you with?',
  chatReply:
    'Thank you for your message. This window answers by itself and sends nothing on. A person reads what you write on our Contact page.',
} as const satisfies Readonly<Record<string, string>>
