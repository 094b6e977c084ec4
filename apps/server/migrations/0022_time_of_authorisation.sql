-- authorized_at: the time at which the provider had reserved the amount of an attempt with manual capture, for the payment's timeline. It stays
-- when the authorisation is captured, voided or released. Null for every other attempt, and for one that an earlier version authorised.
alter table payment_attempts add column authorized_at timestamptz;
