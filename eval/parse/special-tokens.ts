/**
 * The output without the tokens of its model's chat template around it, which stay where it is decoded with them: a
 * role header before, an end of turn behind.
 */
export function trimSpecialTokens(output: string): string {
  let text = output.trim();
  for (let length = -1; length !== text.length; ) {
    length = text.length;
    text = text.replace(LEADING, '').replace(TRAILING, '').trim();
  }
  return text;
}

/**
 * The text with every special token, and every element that only wraps program text or JSON, made a line end:
 * `<|python_start|>[f(a=1)]<|python_end|>`, `<TOOLCALL>[…]</TOOLCALL>`.
 */
export function unwrap(output: string): string {
  return output.replace(WRAPPER, '\n');
}

const LEADING =
  /^(?:<s>|<bos>|<\|begin_of_text\|>|<\|start_header_id\|>assistant<\|end_header_id\|>|<\|im_start\|>(?:assistant)?|<\|assistant\|>|<start_of_turn>model\n|<\|turn>model\n|<\|start\|>assistant(?=<\|message\|>))/;
const TRAILING =
  /(?:<\/s>|<eos>|<pad>|<end_of_turn>|<turn\|>|\[EOS\]|<｜end▁of▁sentence｜>|<\|(?:eot_id|eom_id|eot|im_end|end_of_text|endoftext|end|user|observation|stop|return|END_OF_TURN_TOKEN|end_of_role|assistant_end)\|>)$/;
const WRAPPER =
  /<\|\w{1,40}\|>|<\/?(?:TOOLCALL|tool_calls?|tool_code|function_calls?|execute_ipython|python|functions?|code)>/g;
