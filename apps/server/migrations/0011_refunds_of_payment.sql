-- All refunds of one payment, for its timeline; the index of the open one holds no other.
create index refunds_of_payment on refunds (merchant_id, payment_id, id);
