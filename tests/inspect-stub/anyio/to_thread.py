import asyncio


async def run_sync(func, *args, abandon_on_cancel=False, limiter=None):
    return await asyncio.to_thread(func, *args)
