curl "$MURIPO_URL/api/v1/payments" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -d '{ "amount": -25, "currency": "USD", "description": "Order 1003" }'
