curl "$MURIPO_URL/api/v1/payments/$PAYMENT_ID/capture" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: ship-1004" \
  -d '{ "amount": 20 }'
